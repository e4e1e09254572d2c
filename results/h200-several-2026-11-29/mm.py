import torch, time
torch.backends.cuda.matmul.allow_tf32 = False
for dt in (torch.float32, torch.float64):
    for n in (1024, 2048, 4096):
        a = torch.rand(n, n, device='cuda', dtype=dt); b = torch.rand(n, n, device='cuda', dtype=dt)
        c = a @ b; ts = []
        for r in range(15):
            s = torch.cuda.Event(enable_timing=True); e = torch.cuda.Event(enable_timing=True)
            s.record(); torch.mm(a, b, out=c); e.record(); torch.cuda.synchronize(); ts.append(s.elapsed_time(e))
        ts.sort(); print(dt, n, 'median ms', round(ts[len(ts)//2], 4), 'TFLOP/s', round(2*n**3/ts[len(ts)//2]*1e-9, 1))
