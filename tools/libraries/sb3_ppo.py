"""PPO on CartPole, 2,048 steps; evaluated; saved and loaded"""

import os
import tempfile

import gymnasium
from stable_baselines3 import PPO
from stable_baselines3.common.evaluation import evaluate_policy

PACKAGE = "stable-baselines3"


def task():
    env = gymnasium.make("CartPole-v1")
    model = PPO("MlpPolicy", env, n_steps=256, batch_size=64, seed=0, device="cpu", verbose=0)
    model.learn(2048)
    with tempfile.TemporaryDirectory() as directory:
        model.save(os.path.join(directory, "ppo"))
        again = PPO.load(os.path.join(directory, "ppo"), env=env, device="cpu")
    mean, std = evaluate_policy(again, again.get_env(), n_eval_episodes=5, warn=False)
    return [p.double().sum().item() for p in model.policy.parameters()] + [mean, std]
