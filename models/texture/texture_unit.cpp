#include "models/texture/texture_unit.h"
