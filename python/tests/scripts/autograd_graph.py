# Hooks of tensors and nodes, edges, modes, anomalies.
import threading
import traceback
import warnings

import torch
from torch.autograd.graph import Node, get_gradient_edge, increment_version, register_multi_grad_hook


def show(name, f):
    try:
        print(name, "->", f())
    except Exception as error:
        print(name, "->", type(error).__name__)


x = torch.tensor([1.0, 2.0], requires_grad=True)
handle = x.register_hook(lambda g: print("hook", g))
y = x * 2
other = y.register_hook(lambda g: g * 10)
y.sum().backward()
print(x.grad)
handle.remove()
other.remove()
x.grad = None
handle = x.register_post_accumulate_grad_hook(lambda p: print("accumulated", p.grad, p is x))
(x * 3).sum().backward()
handle.remove()
x.grad = None
y = x * x
y.grad_fn.register_hook(lambda inputs, outputs: print("node", inputs, outputs))
y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 2,))
y.sum().backward()
print(x.grad)
x.grad = None
y = x * 3
y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 2, inputs[1]))
y.sum().backward()
print(x.grad)
x.grad = None
show("hook without grad", lambda: torch.ones(2).register_hook(print))
show("post hook on a result", lambda: (x * 1).register_post_accumulate_grad_hook(print))


def failing(g):
    raise ValueError("in a hook")


def hooked(hook):
    y = x * 2
    y.register_hook(hook)
    y.sum().backward()


try:
    hooked(failing)
except ValueError as error:
    print(repr(error), traceback.extract_tb(error.__traceback__)[-1].name)
show("hook changes size", lambda: hooked(lambda g: torch.ones(5)))
show("hook returns a number", lambda: hooked(lambda g: 3))
x.grad = None

edge = get_gradient_edge(x)
print(edge.node.name(), edge.output_nr, edge.node.variable is x)
print(torch.autograd.grad(get_gradient_edge((x * x).sum()), x))
z = x * 2
print(torch.autograd.grad((z * z).sum(), get_gradient_edge(z)))
show("edge of a constant", lambda: get_gradient_edge(torch.ones(1)))
before = [n.name() for n, _ in z.grad_fn.next_functions if n]
print(isinstance(z.grad_fn, Node), z.grad_fn == z.grad_fn, z.grad_fn.name(), before)

a, b, c = (torch.tensor([float(i)], requires_grad=True) for i in (1, 2, 3))
handle = register_multi_grad_hook((a, b, c), lambda grads: print("all", grads))
(a * b).sum().backward()
(a * b * c).sum().backward()
(a * b).sum().backward(inputs=[b])
handle.remove()
(a * b).sum().backward()
handle = register_multi_grad_hook((a, b, c), lambda g: print("any", g), mode="any")
(a * b).sum().backward()
handle.remove()
y = a * 2
z = y * 3
register_multi_grad_hook((y, z), lambda grads: print("results", grads))
z.sum().backward()
show("mode", lambda: register_multi_grad_hook((a,), print, mode="some"))

y = x * 2
y.retain_grad()
y.sum().backward()
print(y.grad, y.retains_grad, x.grad)
x.grad = None


@torch.no_grad()
def recorded():
    return (x * 2).requires_grad


@torch.enable_grad
def recorded_again():
    return (x * 2).requires_grad


@torch.no_grad()
def generated():
    for i in range(2):
        yield (x * i).requires_grad, torch.is_grad_enabled()


print(recorded(), torch.is_grad_enabled())
with torch.no_grad():
    print(recorded_again(), torch.is_grad_enabled())
for item in generated():
    print(item, torch.is_grad_enabled())
with torch.set_grad_enabled(False):
    print((x * 2).requires_grad)
print(torch.is_grad_enabled())
with torch.inference_mode():
    z = x * 2
    print(z.is_inference(), z.requires_grad, torch.is_inference_mode_enabled())
show("inference tensor in a graph", lambda: x * z)
show("inference tensor as a leaf", lambda: z.requires_grad_())

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    with torch.autograd.detect_anomaly():
        print(torch.is_anomaly_enabled())
        zero = torch.tensor([0.0], requires_grad=True)
        show("anomaly", lambda: (zero / zero).sum().backward())
print(torch.is_anomaly_enabled())

v = torch.ones(2)
before = v._version
increment_version(v)
print(v._version - before)
w = torch.tensor([1.0, 2.0], requires_grad=True)
(x * w).sum().backward(inputs=[x])
print(x.grad, w.grad)
(x * w).sum().backward(inputs=w)
print(x.grad, w.grad)
for wrong in ([], "a", [3], torch.ones(2)):
    show("inputs", lambda: (x * w).sum().backward(inputs=wrong))
show("grad of nothing", lambda: torch.autograd.grad(x.sum(), []))
show("unused", lambda: torch.autograd.grad(x.sum(), w))
show("unused, allowed", lambda: torch.autograd.grad(x.sum(), w, allow_unused=True))
show("unused, as zeros", lambda: torch.autograd.grad(x.sum(), w, materialize_grads=True))
show("unused, both", lambda: torch.autograd.grad(x.sum(), w, allow_unused=False, materialize_grads=True))
show("dict", lambda: torch.autograd.grad((x * w).sum(), {"x": x, "w": w}))
show("batched", lambda: torch.autograd.grad(x * x, x, torch.eye(2), is_grads_batched=True))
show("no scalar", lambda: torch.autograd.grad(x, x))
show("wrong seed", lambda: torch.autograd.grad(x, x, torch.ones(3)))
show("text as seed", lambda: torch.autograd.grad(x, x, "ab"))
show("too few seeds", lambda: torch.autograd.backward([x.sum(), w.sum()], [None]))
show("seeds and None", lambda: torch.autograd.grad([x.sum(), x * w], x, [None, torch.ones(2)]))

shared = torch.ones(3, requires_grad=True)
seen = []


def train():
    for _ in range(50):
        y = shared * 2
        y.register_hook(lambda g: seen.append(1))
        y.sum().backward()


threads = [threading.Thread(target=train) for _ in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(shared.grad, len(seen))
q = torch.tensor([1.0], requires_grad=True)


def inside(g):
    with torch.enable_grad():
        (q * 2).sum().backward()


hooked(inside)
print(q.grad)
