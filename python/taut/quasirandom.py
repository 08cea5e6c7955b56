"""Sobol's sequence: points that fill a cube more evenly than random ones."""

from . import _C

__all__ = ["SobolEngine"]

_ops = _C.ops
_BITS = 30


def _primitive_polynomials(degree):
    """All polynomials over {0, 1} of this degree whose powers of x run through everything, as bits, in order."""
    order = (1 << degree) - 1
    factors = [p for p in range(2, order + 1) if order % p == 0 and all(p % q for q in range(2, int(p ** 0.5) + 1))]

    def power(n, polynomial):
        result, square = 1, 2 if degree > 1 else 2 ^ polynomial
        while n:
            if n & 1:
                result = times(result, square, polynomial)
            square = times(square, square, polynomial)
            n >>= 1
        return result

    def times(a, b, polynomial):
        product = 0
        while b:
            if b & 1:
                product ^= a
            a <<= 1
            if a >> degree:
                a ^= polynomial
            b >>= 1
        return product

    for inner in range(1 << max(degree - 1, 0)):
        polynomial = 1 << degree | inner << 1 | 1
        if power(order, polynomial) == 1 and all(order == p or power(order // p, polynomial) != 1 for p in factors):
            yield polynomial


def _direction_numbers(dimension):
    """For each dimension, what each of the 30 bits of a point's number adds to its place."""
    import base64

    from ._sobol_numbers import PACKED

    packed = base64.b85decode(PACKED)
    bits, width, at = int.from_bytes(packed, "big"), 8 * len(packed), 0
    rows, degree = [[1 << _BITS - 1 - k for k in range(_BITS)]], 0
    while len(rows) < dimension:
        degree += 1
        for polynomial in _primitive_polynomials(degree):
            numbers = [1]
            for i in range(1, degree):
                numbers.append((bits >> width - at - i & (1 << i) - 1) << 1 | 1)
                at += i
            for k in range(degree, _BITS):
                number = numbers[k - degree] ^ numbers[k - degree] << degree
                for i in range(1, degree):
                    if polynomial >> degree - i & 1:
                        number ^= numbers[k - i] << i
                numbers.append(number)
            rows.append([n << _BITS - 1 - k for k, n in enumerate(numbers)])
            if len(rows) == dimension:
                break
    return rows


class SobolEngine:
    """Draws the points of Sobol's sequence one after the other, scrambled if wanted: PyTorch's, in up to 1111 dimensions."""

    MAXBIT, MAXDIM = _BITS, 1111

    def __init__(self, dimension, scramble=False, seed=None):
        if not 1 <= dimension <= self.MAXDIM:
            raise ValueError(f"Supported range of dimensionality for SobolEngine is [1, {self.MAXDIM}]")
        self.seed, self.scramble, self.dimension = seed, scramble, dimension
        self.sobolstate = _C._tensor(_direction_numbers(dimension), _C.int64)
        self.shift = self._scrambled() if scramble else _ops["zeros"]((dimension,), dtype=_C.int64)
        self.quasi = self.shift.clone()
        self.num_generated = 0

    def _scrambled(self):
        """Multiplies the direction numbers, as bits, by random triangular matrices; returns a random shift."""
        generator = None
        if self.seed is not None:
            generator = _C.Generator()
            generator.manual_seed(self.seed)
        powers = 1 << _ops["arange"](_BITS)
        shift = (_ops["randint"](2, (self.dimension, _BITS), generator=generator) * powers).sum(1)
        matrices = _ops["randint"](2, (self.dimension, _BITS, _BITS), generator=generator).tril()
        # Bit i, from the top, of the new number is row i of the matrix with ones on its diagonal times the old bits.
        matrices = matrices | _ops["eye"](_BITS, dtype=_C.int64)
        high_first = powers.flip(0)
        bits = (self.sobolstate.unsqueeze(-1) & high_first).ne(0).to(_C.int64)  # dimension, number, bit
        turned = (bits.unsqueeze(-2) * matrices.unsqueeze(1)).sum(-1) % 2
        self.sobolstate = (turned * high_first).sum(-1)
        return shift

    def _point(self, number):
        """The point of this number, as whole numbers: the sum of columns that its Gray code names."""
        code, point = number ^ number >> 1, self.shift
        for k in range(_BITS):
            if code >> k & 1:
                point = point ^ self.sobolstate[:, k]
        return point

    def draw(self, n=1, out=None, dtype=None):
        """The next n points, one in each row."""
        dtype = dtype or _C.get_default_dtype()
        rows = _C._empty((n, self.dimension), None, _C.int64)
        for k in range(n):
            # The next point differs from the last in the column of the lowest zero bit of its number.
            if self.num_generated:
                self.quasi = self.quasi ^ self.sobolstate[:, _lowest_zero(self.num_generated - 1)]
            rows[k] = self.quasi
            self.num_generated += 1
        result = (rows / 2 ** _BITS).to(dtype)
        return result if out is None else out.resize_as_(result).copy_(result)

    def draw_base2(self, m, out=None, dtype=None):
        """The next 2^m points, if the total is then a power of 2."""
        if m > _BITS:
            raise ValueError(f"the sequence has 2^{_BITS} points; 2^{m} were asked for")
        total = self.num_generated + 2 ** m
        if total & (total - 1):
            raise ValueError(f"The balance properties of Sobol' points require n to be a power of 2. {self.num_generated} points have been "
                             f"previously generated, then: n={self.num_generated}+2**{m}={total}. If you still want to do this, please use "
                             "'SobolEngine.draw()' instead.")
        return self.draw(2 ** m, out, dtype)

    def reset(self):
        """Back to the first point."""
        self.quasi.copy_(self.shift)
        self.num_generated = 0
        return self

    def fast_forward(self, n):
        """As drawing n points does, without them."""
        self.num_generated += n
        self.quasi = self._point(max(self.num_generated - 1, 0))
        return self

    def __repr__(self):
        parts = [f"dimension={self.dimension}"] + ["scramble=True"] * bool(self.scramble) + [f"seed={self.seed}"] * (self.seed is not None)
        return f"SobolEngine({', '.join(parts)})"


def _lowest_zero(n):
    """The place of the lowest bit of n that is 0."""
    return (~n & n + 1).bit_length() - 1


def __getattr__(name):
    raise AttributeError(f"torch.quasirandom.{name} is not part of Taut")
