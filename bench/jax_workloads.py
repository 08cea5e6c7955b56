"""The workloads in JAX, jitted: the functions of workloads.OPS and the training steps, by the same names."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

import data
import workloads


def cross_entropy(x, y):
    return -jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()


def conv2d(x, w, b=None, stride=1, padding=0, groups=1):
    y = lax.conv_general_dilated(x, w, (stride, stride), [(padding, padding)] * 2, feature_group_count=groups)
    return y if b is None else y + b[None, :, None, None]


def layer_norm(x, w, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * w + b


def batch_norm(x, w, b):
    dims = (0,) + tuple(range(2, x.ndim))
    wide = (1, -1) + (1,) * (x.ndim - 2)
    scale = lax.rsqrt(x.var(dims, keepdims=True) + 1e-5)
    return (x - x.mean(dims, keepdims=True)) * scale * w.reshape(wide) + b.reshape(wide)


def attention(q, k, v, causal=False):
    score = jnp.einsum("...qd,...kd->...qk", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    if causal:
        score = jnp.where(jnp.tril(jnp.ones(score.shape[-2:], bool)), score, -jnp.inf)
    return jnp.einsum("...qk,...kd->...qd", jax.nn.softmax(score), v)


OPS = {
    "matmul": jnp.matmul,
    "conv2d": conv2d,
    "softmax": jax.nn.softmax,
    "log_softmax": jax.nn.log_softmax,
    "cross_entropy": cross_entropy,
    "layer_norm": layer_norm,
    "batch_norm": batch_norm,
    "gelu": lambda x: jax.nn.gelu(x, approximate=False),
    "attention": attention,
    "exp": jnp.exp,
    "tanh": jnp.tanh,
    "add": jnp.add,
    "mul": jnp.multiply,
    "where": jnp.where,
    "less": jnp.less,
    "equal": jnp.equal,
    "sum": lambda x, dim: x.sum(dim),
    "mean": lambda x, dim: x.mean(dim),
    "max": lambda x, dim: x.max(dim),
    "argmax": lambda x, dim: x.argmax(dim),
    "cumsum": lambda x, dim: x.cumsum(dim),
    "sort": lambda x, dim: jnp.sort(x, dim),
    "gather": lambda x, i, dim: jnp.take_along_axis(x, i, dim),
    "index_select": lambda x, i, dim: jnp.take(x, i, dim),
    "index": lambda x, i: x[i],
    "embedding": lambda w, i: w[i],
    "cat": lambda *xs, dim: jnp.concatenate(xs, dim),
    "stack": lambda *xs, dim: jnp.stack(xs, dim),
}


def setup(row):
    """A function that sets the row up, or None where there is no twin."""
    if isinstance(row, workloads.Kernel) and row.op in OPS:
        return lambda: kernel(row)
    if row.name in FUNCTIONS:
        return lambda: function(*FUNCTIONS[row.name]())
    if row.name in STEPS:
        return lambda: train(row, *STEPS[row.name])
    return None


def ready(f):
    return lambda: jax.block_until_ready(f())


def kernel(row):
    rng, options = data.generator(), row.options
    xs = [jnp.asarray(i.draw(rng)) for i in row.inputs]

    def seen(*arrays):  # in the compiled function: its arguments lie in memory as those of the other libraries
        return [i.of_array(a, jnp) for i, a in zip(row.inputs, arrays)]

    def op(*arguments):
        return OPS[row.op](*arguments, **options)

    if not row.backward:
        forward = jax.jit(lambda *arrays: op(*seen(*arrays)))
        return ready(lambda: forward(*xs))
    places = [n for n, i in enumerate(row.inputs) if i.differentiable]
    shape = jax.eval_shape(lambda *arrays: op(*seen(*arrays)), *xs).shape
    g = jnp.asarray(rng.standard_normal(shape, dtype="float32")) if shape else jnp.float32(1)

    @jax.jit
    def backward(xs, g):
        xs = seen(*xs)

        def of_wanted(*wanted):
            arguments = list(xs)
            for place, x in zip(places, wanted):
                arguments[place] = x
            return op(*arguments)

        y, gradient = jax.vjp(of_wanted, *[xs[place] for place in places])
        return y, *gradient(g)

    return ready(lambda: backward(xs, g))


# ---------------------------------------------------------------------------------------------------------------------
# Models: the shapes of their parameters in the order of PyTorch's, True for a bias, and what they compute.


def linear(x, w, b=None):
    y = x @ w.T
    return y if b is None else y + b


def layer(inputs, outputs):
    return [((outputs, inputs), False), ((outputs,), True)]


def norm(width):
    return [((width,), False), ((width,), True)]


MLP = layer(784, 256) + layer(256, 128) + layer(128, 10)


def mlp(p, x):
    return linear(jax.nn.relu(linear(jax.nn.relu(linear(x, *p[:2])), *p[2:4])), *p[4:])


CNN = [((32, 1, 3, 3), False), ((32,), True), ((64, 32, 3, 3), False), ((64,), True)] + layer(64 * 12 * 12, 10)


def cnn(p, x):
    x = jax.nn.relu(conv2d(jax.nn.relu(conv2d(x, *p[:2])), *p[2:4]))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    return linear(x.reshape(len(x), -1), *p[4:])


def heads_apart(x, heads):
    return x.reshape(*x.shape[:2], heads, -1).swapaxes(1, 2)


def self_attention(x, qkv, qkv_bias, out, out_bias, heads, causal):
    q, k, v = (heads_apart(part, heads) for part in jnp.split(linear(x, qkv, qkv_bias), 3, -1))
    return linear(attention(q, k, v, causal).swapaxes(1, 2).reshape(x.shape), out, out_bias)


ENCODER = 4 * (layer(256, 768) + layer(256, 256) + layer(256, 1024) + layer(1024, 256) + norm(256) + norm(256)) + layer(
    256, 10
)


def encoder(p, x):
    for i in range(0, 48, 12):
        attend, up, down, norm1, norm2 = (
            p[i : i + 4],
            p[i + 4 : i + 6],
            p[i + 6 : i + 8],
            p[i + 8 : i + 10],
            p[i + 10 : i + 12],
        )
        x = layer_norm(x + self_attention(x, *attend, heads=8, causal=False), *norm1)
        x = layer_norm(x + linear(jax.nn.relu(linear(x, *up)), *down), *norm2)
    return linear(x.mean(1), *p[48:])


BLOCK = norm(384) + layer(384, 1152) + layer(384, 384) + norm(384) + layer(384, 1536) + layer(1536, 384)
GPT = [((512, 384), False), ((256, 384), False)] + 6 * BLOCK + norm(384) + [((512, 384), False)]


def gpt(p, tokens):
    x = p[0][tokens] + p[1][: tokens.shape[1]]
    for i in range(2, 74, 12):
        b = p[i : i + 12]
        x = x + self_attention(layer_norm(x, *b[0:2]), *b[2:6], heads=6, causal=True)
        x = x + linear(jax.nn.gelu(linear(layer_norm(x, *b[6:8]), *b[8:10]), approximate=False), *b[10:12])
    return linear(layer_norm(x, *p[74:76]), p[76]).reshape(-1, 512)


LSTM = [((512, 128), False), ((512, 128), False), ((512,), True), ((512,), True)] + layer(128, 10)


def lstm(p, x):
    projected = linear(x, p[0], p[2] + p[3])

    def step(state, z):
        h, c = state
        i, f, g, o = jnp.split(z + h @ p[1].T, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), None

    zero = jnp.zeros((x.shape[1], 128))
    (h, _), _ = lax.scan(step, (zero, zero), projected)
    return linear(h, *p[4:])


def blocks():
    inputs = 64
    for outputs, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        for k in range(2):
            yield inputs, outputs, stride if k == 0 else 1
            inputs = outputs


def resnet_shapes():
    def conv(inputs, outputs, size):
        return [((outputs, inputs, size, size), False)] + norm(outputs)

    shapes = conv(3, 64, 7)
    for inputs, outputs, stride in blocks():
        shapes += conv(inputs, outputs, 3) + conv(outputs, outputs, 3)
        if stride != 1 or inputs != outputs:
            shapes += conv(inputs, outputs, 1)
    return shapes + layer(512, 10)


def resnet18(p, x):
    left = iter(p)

    def conv(x, stride, padding):
        x = conv2d(x, next(left), stride=stride, padding=padding)
        return batch_norm(x, next(left), next(left))

    x = jax.nn.relu(conv(x, 2, 3))
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), [(0, 0), (0, 0), (1, 1), (1, 1)])
    for inputs, outputs, stride in blocks():
        y = conv(jax.nn.relu(conv(x, stride, 1)), 1, 1)
        x = jax.nn.relu(y + (conv(x, stride, 0) if stride != 1 or inputs != outputs else x))
    return linear(x.mean((2, 3)), next(left), next(left))


def sgd(lr, momentum=0.0):
    def start(p):
        return [jnp.zeros_like(v) for v in p] if momentum else []

    def update(p, grads, state):
        if momentum:
            state = grads = [momentum * m + g for m, g in zip(state, grads)]
        return [v - lr * g for v, g in zip(p, grads)], state

    return start, update


def adam(lr, decay=0.0):
    def start(p):
        return [jnp.zeros_like(v) for v in p], [jnp.zeros_like(v) for v in p], jnp.float32(0)

    def update(p, grads, state):
        m, v, t = state
        t = t + 1
        m = [0.9 * a + 0.1 * g for a, g in zip(m, grads)]
        v = [0.999 * a + 0.001 * g * g for a, g in zip(v, grads)]
        rate, root = lr / (1 - 0.9**t), jnp.sqrt(1 - 0.999**t)
        new = [a * (1 - lr * decay) - rate * b / (jnp.sqrt(c) / root + 1e-8) for a, b, c in zip(p, m, v)]
        return new, (m, v, t)

    return start, update


STEPS = {
    "MLP batch 64, SGD": (mlp, MLP, (64, 784), sgd(1e-3)),
    "MLP batch 64, Adam": (mlp, MLP, (64, 784), adam(1e-3)),
    "MLP batch 1, SGD": (mlp, MLP, (1, 784), sgd(1e-3)),
    "MLP batch 1, Adam": (mlp, MLP, (1, 784), adam(1e-3)),
    "CNN batch 64, SGD": (cnn, CNN, (64, 1, 28, 28), sgd(1e-3)),
    "CNN batch 64, Adam": (cnn, CNN, (64, 1, 28, 28), adam(1e-4)),
    "ResNet-18 batch 8 at 64x64, SGD with momentum": (resnet18, resnet_shapes(), (8, 3, 64, 64), sgd(1e-3, 0.9)),
    "transformer encoder 8x128, SGD": (encoder, ENCODER, (8, 128, 256), sgd(1e-4)),
    "transformer encoder 8x128, Adam": (encoder, ENCODER, (8, 128, 256), adam(1e-4)),
    "GPT 6 layers 4x256, AdamW": (gpt, GPT, None, adam(1e-4, 0.01)),
    "LSTM 64 steps batch 32, SGD": (lstm, LSTM, (64, 32, 128), sgd(1e-3)),
    "LSTM 64 steps batch 32, Adam": (lstm, LSTM, (64, 32, 128), adam(1e-3)),
}


def train(row, model, shapes, size, optimizer):
    rng = data.generator()
    x = jnp.asarray(rng.standard_normal(size, dtype="float32") if size else rng.integers(512, size=(4, 256)))
    weights = data.generator()
    p = [jnp.asarray(data.parameter(weights, shape, bias)) for shape, bias in shapes]
    rows = jax.eval_shape(model, p, x).shape
    y = jnp.asarray(rng.integers(rows[1], size=rows[0]))
    start, update = optimizer

    def step(p, state):
        loss, grads = jax.value_and_grad(lambda p: cross_entropy(model(p, x), y))(p)
        p, state = update(p, grads, state)
        return loss, p, state

    step = jax.jit(step, donate_argnums=(0, 1))
    held = [p, start(p)]

    def run():
        loss, *held[:] = step(*held)
        return jax.block_until_ready(loss)

    return run


# ---------------------------------------------------------------------------------------------------------------------
# Functions of functions: what workloads.functions does, with the same numbers.

SMALL_MLP = layer(8, 64) + layer(64, 64) + layer(64, 4)
SMALL_CNN = [((8, 1, 3, 3), False), ((8,), True), ((16, 8, 3, 3), False), ((16,), True)] + layer(16 * 4 * 4, 10)
PINN = layer(2, 32) + layer(32, 32) + layer(32, 1)


def function(f, *arguments):
    f = jax.jit(f)
    return ready(lambda: f(*arguments))


def parameters(shapes):
    weights = data.generator()
    return [jnp.asarray(data.parameter(weights, shape, bias)) for shape, bias in shapes]


def numbers(rng, *shape):
    return jnp.asarray(rng.standard_normal(shape, dtype="float32"))


def tanh_net(p, x):
    return linear(jnp.tanh(linear(jnp.tanh(linear(x, *p[:2])), *p[2:4])), *p[4:])


def per_sample(model, shapes, batch, size, targets):
    rng, p = data.generator(), parameters(shapes)
    x, y = numbers(rng, batch, *size), numbers(rng, batch, 1, *targets)
    gradient = jax.grad(lambda p, x, y: ((model(p, x[None]) - y) ** 2).sum())
    return jax.vmap(gradient, (None, 0, 0)), p, x, y


def hessian():
    rng = data.generator()
    matrix, v = numbers(rng, 16, 16), numbers(rng, 16)
    return jax.hessian(lambda v: (jnp.tanh(matrix @ v) * v).sum() + (v**4).sum()), v


def jacobian():
    rng = data.generator()
    matrix, v = numbers(rng, 16, 16), numbers(rng, 16)
    return jax.jacrev(lambda v: jnp.tanh(matrix @ v) * v), v


def at_points(transform):
    p = parameters(SMALL_MLP)
    return jax.vmap(transform(lambda x: tanh_net(p, x))), numbers(data.generator(), 64, 8)


def ensemble(with_gradients):
    rng, p = data.generator(), parameters(SMALL_MLP)
    p = [jnp.stack([v * (1 + i / 16) for i in range(16)]) for v in p]
    x, y = numbers(rng, 64, 8), numbers(rng, 64, 4)
    loss = jax.grad(lambda p: ((tanh_net(p, x) - y) ** 2).mean())
    return jax.vmap(loss if with_gradients else lambda p: tanh_net(p, x)), p


def pinn(order):
    points = numbers(data.generator(), 64, 2)

    def loss(p):
        def u(x, t):
            return tanh_net(p, jnp.stack([x, t]))[0]

        high = u
        for _ in range(order):
            high = jax.grad(high)

        def residual(point):
            x, t = point
            return jax.grad(u, 1)(x, t) + u(x, t) * jax.grad(u)(x, t) - 0.1 * high(x, t)

        return (jax.vmap(residual)(points) ** 2).mean()

    return jax.grad(loss), parameters(PINN)


def marquardt():
    x = jnp.linspace(0.0, 4.0, 10000)
    y = 2 * jnp.exp(-0.7 * x) * jnp.sin(3 * x + 0.3) + 0.5 * x - 0.2

    def residual(p):
        return p[0] * jnp.exp(-p[1] * x) * jnp.sin(p[2] * x + p[3]) + p[4] * x + p[5] - y

    def step(p):
        r, j = residual(p), jax.jacfwd(residual)(p)
        normal = j.T @ j
        return p - jnp.linalg.solve(normal + 1e-2 * jnp.diag(jnp.diag(normal)), j.T @ r)

    return step, jnp.array([1.8, 0.6, 2.9, 0.4, 0.4, 0.0])


def ode():
    def slope(p, y):
        return jnp.stack([y[0] * (p[0] - p[1] * y[1]), y[1] * (p[2] * y[0] - p[3])])

    def loss(p):
        h = 0.05

        def step(y, _):
            a = slope(p, y)
            b = slope(p, y + h / 2 * a)
            c = slope(p, y + h / 2 * b)
            y = y + h / 6 * (a + 2 * b + 2 * c + slope(p, y + h * c))
            return y, y

        ends = lax.scan(step, jnp.array([1.0, 1.0]), None, 50)[1]
        return ((ends - 1.5) ** 2).mean()

    return jax.grad(loss), jnp.array([1.5, 1.0, 1.0, 3.0])


FUNCTIONS = {
    "per-sample gradients, MLP 8-64-64-4, batch 64": lambda: per_sample(tanh_net, SMALL_MLP, 64, (8,), (4,)),
    "per-sample gradients, CNN 1-8-16 at 12x12, batch 32": lambda: per_sample(cnn, SMALL_CNN, 32, (1, 12, 12), (10,)),
    "Hessian of a function of 16 variables": hessian,
    "Jacobian of a function of 16 variables": jacobian,
    "Jacobians of an MLP 8-64-64-4 at 64 points": lambda: at_points(jax.jacrev),
    "Hessians of an MLP 8-64-64-4 at 64 points": lambda: at_points(lambda f: jax.hessian(lambda x: f(x).sum())),
    "ensemble of 16 MLPs 8-64-64-4, batch 64": lambda: ensemble(False),
    "ensemble of 16 MLPs 8-64-64-4, batch 64, gradients": lambda: ensemble(True),
    "PINN 2-32-32-1, second order, 64 points": lambda: pinn(2),
    "PINN 2-32-32-1, third order, 64 points": lambda: pinn(3),
    "Levenberg-Marquardt step, 6 parameters, 10000 points": marquardt,
    "ODE fit: 50 steps of Runge-Kutta, gradient of 4 parameters": ode,
}


def probe_matmul(n):
    a = jnp.ones((n, n))
    f = jax.jit(jnp.matmul)
    return ready(lambda: f(a, a))
