"""Proximal policy optimisation balances a pole on a cart, 16 carts at a time; draws how it learned: ppo.png."""

import math

import matplotlib
import taut as torch
from taut import nn
from taut.distributions import Categorical

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402


class Carts:
    """CartPole-v1 as its papers describe it, for many carts at once; a cart that fails, or has stood for 500 steps, begins anew."""

    def __init__(self, n):
        self.state, self.age = torch.rand(n, 4) * 0.1 - 0.05, torch.zeros(n)

    def step(self, right):
        """(reward is always one) what was over, and the lengths of what was over."""
        x, v, angle, turn = self.state.unbind(1)
        push = (right * 2 - 1) * 10.0
        force = (push + 0.05 * turn**2 * angle.sin()) / 1.1
        bend = (9.8 * angle.sin() - angle.cos() * force) / (0.5 * (4 / 3 - 0.1 * angle.cos() ** 2 / 1.1))
        speed = force - 0.05 * bend * angle.cos() / 1.1
        self.state = self.state + 0.02 * torch.stack([v, speed, turn, bend], 1)
        self.age = self.age + 1
        over = (self.state[:, 0].abs() > 2.4) | (self.state[:, 2].abs() > 12 * math.pi / 180) | (self.age >= 500)
        lengths = self.age[over].tolist()
        self.state = torch.where(over[:, None], torch.rand(len(x), 4) * 0.1 - 0.05, self.state)
        self.age = torch.where(over, 0.0, self.age)
        return over, lengths


torch.manual_seed(1)
actor = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 2))
critic = nn.Sequential(nn.Linear(4, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], 2.5e-3)
carts, steps, curve = Carts(16), 64, []
for update in range(60):
    states, actions, chances, overs, lengths = [], [], [], [], []
    with torch.no_grad():
        for _ in range(steps):
            policy = Categorical(logits=actor(carts.state))
            action = policy.sample()
            states.append(carts.state), actions.append(action), chances.append(policy.log_prob(action))
            over, done = carts.step(action)
            overs.append(over), lengths.extend(done)
        values = critic(torch.stack([*states, carts.state])).squeeze(-1)
        gains, gain = [], torch.zeros(16)
        for i in reversed(range(steps)):  # generalised advantages
            going = (~overs[i]).float()
            gain = 1 + 0.99 * values[i + 1] * going - values[i] + 0.99 * 0.95 * going * gain
            gains.append(gain)
        gains = torch.stack(gains[::-1])
    state, action, chance = torch.cat(states), torch.cat(actions), torch.cat(chances)
    goal, gain = (gains + values[:-1]).flatten(), gains.flatten()
    for _ in range(6):
        for batch in torch.randperm(len(state)).split(256):
            policy = Categorical(logits=actor(state[batch]))
            ratio = (policy.log_prob(action[batch]) - chance[batch]).exp()
            better = (gain[batch] - gain[batch].mean()) / (gain[batch].std() + 1e-8)
            loss = -torch.minimum(ratio * better, ratio.clamp(0.8, 1.2) * better).mean() - 0.01 * policy.entropy().mean()
            loss = loss + 0.5 * nn.functional.mse_loss(critic(state[batch]).squeeze(-1), goal[batch])
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
            optimizer.step()
    if lengths:
        curve.append(((update + 1) * steps * 16, sum(lengths) / len(lengths)))
    if update % 10 == 9:
        print(f"update {update + 1:2}  episodes that ended lasted {curve[-1][1]:.0f} steps")

plt.figure(figsize=(8, 4))
plt.plot([n for n, _ in curve], [length for _, length in curve], ".-")
plt.axhline(500, color="gray", linestyle="--")
plt.xlabel("steps of all carts")
plt.ylabel("mean length of episodes")
plt.tight_layout()
plt.savefig("ppo.png")
