"""SAC on Pendulum, 400 steps"""

import gymnasium
from stable_baselines3 import SAC

PACKAGE = "stable-baselines3"


def task():
    model = SAC("MlpPolicy", gymnasium.make("Pendulum-v1"), learning_starts=100, seed=0, device="cpu", verbose=0, policy_kwargs={"net_arch": [64, 64]})
    model.learn(400)
    return [p.double().sum().item() for p in model.policy.parameters()]
