"""Runs the OneHot of numpy and PyTorch for the Go program that started it.

Requests and answers are lines of JSON on standard input and output; arrays are raw files. One thread.
"""

import json
import os
import sys
import time

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"

import numpy as np

np.seterr(all="ignore")  # on and off may be NaN

try:
    import torch

    torch.set_num_threads(1)
except ImportError:
    torch = None


class Cannot(Exception):
    """The library has no way to express the work."""


class Work:
    def __init__(self, request):
        indices = np.fromfile(request["indices"], dtype=request["type"])
        self.depth, self.inner = request["depth"], request["inner"]
        self.outer = len(indices) // self.inner
        self.indices, self.convert = indices, request["convert"]
        # Bits, so that infinities, NaN and -0.0 pass through JSON.
        self.on, self.off = np.array([request["on"], request["off"]], dtype=np.uint32).view(np.float32)

    def shape(self):
        if self.inner == 1:
            return (self.outer, self.depth)
        return (self.outer, self.depth, self.inner)

    def one_and_zero(self):
        if self.on != 1 or self.off.view(np.uint32) != 0:
            raise Cannot("it writes 1 and 0 only")

    def indices_as(self, *types):
        """The indices, with an axis for inner if there is one, in a type that the library takes."""
        x = self.indices
        if x.dtype.name not in types:
            if not self.convert:
                raise Cannot(f"it takes no indices of type {x.dtype.name}")
            x = x.astype(np.int64)
        return x if self.inner == 1 else x.reshape(self.outer, self.inner)


def numpy_eye(w):
    """np.eye(depth)[indices], with the matrix made beforehand: a row is copied for each index."""
    if 4 * w.depth * w.depth > 1 << 28:
        raise Cannot(f"the matrix would have {4 * w.depth * w.depth >> 20} MiB")
    table = np.full((w.depth, w.depth), w.off, dtype=np.float32)
    np.fill_diagonal(table, w.on)
    indices = w.indices_as("uint8", "int32", "int64")
    if w.inner == 1:
        return lambda: table[indices]
    return lambda: np.ascontiguousarray(np.moveaxis(table[indices], 2, 1))


def numpy_put(w):
    """Fill an array that is there already, and put one value for each index."""
    out = np.empty(w.shape(), dtype=np.float32)
    indices = w.indices_as("uint8", "int32", "int64").astype(np.int64)
    if w.inner == 1:
        rows = np.arange(w.outer)

        def run():
            out.fill(w.off)
            out[rows, indices] = w.on
            return out

    else:
        planes = np.expand_dims(indices, 1)

        def run():
            out.fill(w.off)
            np.put_along_axis(out, planes, w.on, axis=1)
            return out

    return run


def torch_one_hot(w):
    """torch.nn.functional.one_hot, whose output is always int64, converted to float32."""
    w.one_and_zero()
    indices = torch.from_numpy(w.indices_as("int64"))
    if w.inner == 1:
        return lambda: torch.nn.functional.one_hot(indices, w.depth).to(torch.float32)
    return lambda: torch.nn.functional.one_hot(indices, w.depth).permute(0, 2, 1).to(torch.float32).contiguous()


def torch_scatter(w):
    """Fill a tensor that is there already, and scatter one value for each index."""
    axis = 1
    indices = torch.from_numpy(w.indices_as("int64")).unsqueeze(axis)
    out = torch.empty(w.shape(), dtype=torch.float32)
    on, off = float(w.on), float(w.off)
    return lambda: out.fill_(off).scatter_(axis, indices, on)


PEERS = {"numpy-eye": numpy_eye, "numpy-put": numpy_put}
VERSIONS = {"numpy": np.__version__}
if torch is not None:
    PEERS |= {"torch-one_hot": torch_one_hot, "torch-scatter": torch_scatter}
    VERSIONS["torch"] = torch.__version__


class Session:
    run = output = None

    def peers(self, request):
        return {"peers": list(PEERS), "versions": VERSIONS}

    def load(self, request):
        self.output = None  # memory, before more of it is asked for
        self.run = PEERS[request["peer"]](Work(request))
        return {}

    def time(self, request):
        start = time.perf_counter_ns()
        for _ in range(request["n"]):
            self.output = self.run()
        return {"ns": time.perf_counter_ns() - start}

    def write(self, request):
        np.asarray(self.output).tofile(request["output"])
        return {}

    def close(self, request):
        self.run = self.output = None
        return {}


def main():
    session = Session()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(session, request["op"])(request)
        except Cannot as reason:
            answer = {"cannot": str(reason)}
        except Exception as error:  # a peer that refuses a work is an answer
            answer = {"error": f"{type(error).__name__}: {error}".split("\n")[0]}
        print(json.dumps(answer), flush=True)


main()
