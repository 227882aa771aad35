# SPDX-License-Identifier: Apache-2.0
"""Spaces of actions and observations with those members of Gymnasium's spaces that agents use; needs no Gymnasium."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# numpy is imported at its uses: see result.py.


class _Space:
    shape: tuple[int, ...]
    dtype: np.dtype[Any]

    def __init__(self) -> None:
        self._random: np.random.Generator | None = None

    @property
    def np_random(self) -> np.random.Generator:
        import numpy as np

        if self._random is None:
            self._random = np.random.default_rng()
        return self._random

    def seed(self, seed: int | None = None) -> int | None:
        """Seeds sample()."""
        import numpy as np

        self._random = np.random.default_rng(seed)
        return seed

    def contains(self, x: Any) -> bool:
        raise NotImplementedError

    def __contains__(self, x: Any) -> bool:
        return self.contains(x)


class MultiDiscrete(_Space):
    """Vectors of whole numbers; entry i is at least 0 and less than nvec[i]."""

    def __init__(self, nvec: Sequence[int]):
        import numpy as np

        super().__init__()
        self.nvec: NDArray[np.int64] = np.array(nvec, dtype=np.int64)
        self.shape, self.dtype = self.nvec.shape, np.dtype(np.int64)

    def sample(self) -> NDArray[np.int64]:
        return self.np_random.integers(0, self.nvec, dtype="int64")

    def contains(self, x: Any) -> bool:
        import numpy as np

        vector = np.asarray(x)
        whole = vector.shape == self.shape and np.issubdtype(vector.dtype, np.integer)
        return bool(whole and (vector >= 0).all() and (vector < self.nvec).all())

    def __repr__(self) -> str:
        return f"MultiDiscrete({self.nvec.tolist()})"


class Box(_Space):
    """Vectors of real numbers of at least 0."""

    def __init__(self, size: int):
        import numpy as np

        super().__init__()
        self.shape, self.dtype = (size,), np.dtype(np.float64)
        self.low, self.high = np.zeros(size), np.full(size, np.inf)

    def sample(self) -> NDArray[np.float64]:
        """A sample of an exponential distribution."""
        return self.np_random.exponential(size=self.shape)

    def contains(self, x: Any) -> bool:
        import numpy as np

        vector = np.asarray(x)
        return bool(vector.shape == self.shape and np.can_cast(vector.dtype, self.dtype) and (vector >= 0).all())

    def __repr__(self) -> str:
        return f"Box(0.0, inf, {self.shape})"
