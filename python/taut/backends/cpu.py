"""The processor."""


def get_cpu_capability():
    """The instructions PyTorch would name: AVX512, AVX2 or DEFAULT."""
    try:
        with open("/proc/cpuinfo") as file:
            flags = next((line for line in file if line.startswith(("flags", "Features"))), "").split()
    except OSError:
        flags = ()
    return "AVX512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "DEFAULT"
