// Broadcast of one page-locked array to all GPUs: each fetches parts, passes them on. Which way is the fastest?
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>
#include <atomic>
#include <chrono>
#include <algorithm>
#include <string>
#define C(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { printf("%s:%d %s %s\n", __FILE__, __LINE__, #x, cudaGetErrorString(e_)); exit(1); } } while (0)
typedef std::chrono::steady_clock Clk;
static double now() { return std::chrono::duration<double>(Clk::now().time_since_epoch()).count(); }
struct Bar { std::atomic<int> n{0}, gen{0}; int k; void wait() { int g = gen; if (++n == k) { n = 0; gen++; } else while (gen == g) {} } };
__global__ void copy1(int4* d, const int4* s, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) d[i] = s[i]; }
struct Dst { int4* p[7]; };
__global__ void copyn(Dst d, int k, const int4* s, size_t n) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { int4 v = s[i]; for (int j = 0; j < k; j++) d.p[j][i] = v; } }
enum Way { FETCH, PULL, PULLHI, PULLK, PUSH1, PUSH3, PUSHHI, PUSHK, HAND };
static const char* names[] = {"fetch-only", "pull", "pull-high", "pull-kernel", "push-1", "push-3", "push-3-high", "push-kernel", "hand-4"};
struct G { cudaStream_t to, peer[8], hi[8]; char* mem; std::vector<cudaEvent_t> ev, ev2; cudaEvent_t t0, t1, t2; };
int main(int argc, char** argv) {
  int ng; C(cudaGetDeviceCount(&ng)); size_t bytes = (argc > 1 ? atof(argv[1]) : 151e6); bytes &= ~(size_t)15; int reps = argc > 2 ? atoi(argv[2]) : 15;
  std::vector<G> g(ng); char* host; C(cudaHostAlloc(&host, bytes, cudaHostAllocPortable));
  for (size_t i = 0; i < bytes; i += 4) *(unsigned*)(host + i) = (unsigned)(i * 2654435761u);
  for (int i = 0; i < ng; i++) { C(cudaSetDevice(i)); for (int j = 0; j < ng; j++) if (j != i) C(cudaDeviceEnablePeerAccess(j, 0));
    int lo, hi; C(cudaDeviceGetStreamPriorityRange(&lo, &hi)); C(cudaStreamCreateWithFlags(&g[i].to, cudaStreamNonBlocking));
    for (int j = 0; j < 8; j++) { C(cudaStreamCreateWithFlags(&g[i].peer[j], cudaStreamNonBlocking)); C(cudaStreamCreateWithPriority(&g[i].hi[j], cudaStreamNonBlocking, hi)); }
    C(cudaMalloc(&g[i].mem, bytes)); C(cudaEventCreate(&g[i].t0)); C(cudaEventCreate(&g[i].t1)); C(cudaEventCreate(&g[i].t2));
    for (int j = 0; j < 1024; j++) { cudaEvent_t e; C(cudaEventCreateWithFlags(&e, cudaEventDisableTiming)); g[i].ev.push_back(e); } }
  struct Sent { std::atomic<int> gpu{-1}; cudaEvent_t ev; };
  for (size_t part : {1u << 20, 2u << 20, 4u << 20, 8u << 20}) for (int way = 0; way <= HAND; way++) {
    if (way == HAND && part != (4u << 20)) continue;
    size_t np = (bytes + part - 1) / part; std::vector<double> times, lag, enq; Bar bar; bar.k = ng;
    std::vector<Sent> sent(np); std::atomic<size_t> next{0}; std::vector<double> ended(ng), enqd(ng); std::vector<float> lags(ng); double start = 0;
    std::vector<std::thread> th;
    for (int i = 0; i < ng; i++) th.emplace_back([&, i] { C(cudaSetDevice(i)); G& m = g[i];
      for (int r = 0; r < reps + 2; r++) {
        if (i == 0) { for (auto& s : sent) s.gpu = -1; next = 0; }
        bar.wait(); if (i == 0) start = now(); bar.wait();
        size_t e = 0, under = 0; std::vector<cudaEvent_t> mine; 
        cudaStream_t* ps = way == PULLHI || way == PUSHHI ? m.hi : m.peer;
        bool pull = way == PULL || way == PULLHI || way == PULLK, push = way == PUSH1 || way == PUSH3 || way == PUSHHI || way == PUSHK;
        auto at = [&](size_t p) { return p * part; }; auto len = [&](size_t p) { return std::min(part, bytes - p * part); };
        C(cudaEventRecord(m.t0, m.to));
        if (way == HAND) { size_t a = bytes / ng / 16 * i * 16, b = i == ng - 1 ? bytes : bytes / ng / 16 * (i + 1) * 16;
          for (int q = 0; q < 4; q++) { size_t x = a + (b - a) / 64 * q * 16, y = q == 3 ? b : a + (b - a) / 64 * (q + 1) * 16;
            C(cudaMemcpyAsync(m.mem + x, host + x, y - x, cudaMemcpyHostToDevice, m.to)); C(cudaEventRecord(m.ev[e], m.to)); C(cudaStreamWaitEvent(m.peer[0], m.ev[e++]));
            for (int j = 0; j < ng; j++) if (j != i) C(cudaMemcpyPeerAsync(g[j].mem + x, j, m.mem + x, i, y - x, m.peer[0])); } }
        else { std::vector<char> got(np, 0); size_t have = 0;
          for (;;) {
            if (pull) for (size_t p = 0; p < np; p++) { int s = sent[p].gpu; if (got[p] || s < 0 || s == i) continue; got[p] = 1; have++;
              cudaStream_t st = ps[s]; C(cudaStreamWaitEvent(st, sent[p].ev));
              if (way == PULLK) copy1<<<16, 512, 0, st>>>((int4*)(m.mem + at(p)), (const int4*)(g[s].mem + at(p)), len(p) / 16);
              else C(cudaMemcpyPeerAsync(m.mem + at(p), i, g[s].mem + at(p), s, len(p), st)); }
            size_t p = next < np ? next.fetch_add(1) : np;
            if (p >= np) { if (!pull || have == np) break; continue; }
            if (mine.size() >= 3) C(cudaEventSynchronize(mine[mine.size() - 3]));
            C(cudaMemcpyAsync(m.mem + at(p), host + at(p), len(p), cudaMemcpyHostToDevice, m.to)); C(cudaEventRecord(m.ev[e], m.to)); mine.push_back(m.ev[e]); got[p] = 1; have++;
            if (push) { int k = 0; Dst d; 
              if (way == PUSHK) { for (int j = 0; j < ng; j++) if (j != i) d.p[k++] = (int4*)(g[j].mem + at(p)); C(cudaStreamWaitEvent(ps[0], m.ev[e])); copyn<<<16, 512, 0, ps[0]>>>(d, k, (const int4*)(m.mem + at(p)), len(p) / 16); }
              else for (int q = 1; q < ng; q++) { int j = (i + q) % ng; cudaStream_t st = ps[way == PUSH1 ? 0 : j]; if (way != PUSH1 || q == 1) C(cudaStreamWaitEvent(st, m.ev[e])); C(cudaMemcpyPeerAsync(g[j].mem + at(p), j, m.mem + at(p), i, len(p), st)); } }
            sent[p].ev = m.ev[e++]; sent[p].gpu = i; } }
        C(cudaEventRecord(m.t1, m.to));
        cudaStream_t main = ps[way == HAND ? 0 : 7];
        if (way != HAND) for (int j = 0; j < 7; j++) { C(cudaEventRecord(m.ev[e], ps[j])); C(cudaStreamWaitEvent(main, m.ev[e++])); }
        C(cudaEventRecord(m.t2, main)); enqd[i] = now() - start;
        C(cudaStreamSynchronize(m.to)); C(cudaStreamSynchronize(main)); ended[i] = now() - start; C(cudaEventElapsedTime(&lags[i], m.t1, m.t2)); bar.wait();
        if (i == 0 && r >= 2) { times.push_back(*std::max_element(ended.begin(), ended.end())); lag.push_back(*std::max_element(lags.begin(), lags.end())); enq.push_back(*std::max_element(enqd.begin(), enqd.end())); }
        bar.wait();
        if (r == 0 && way != FETCH) { std::vector<char> back(bytes); C(cudaMemcpy(back.data(), m.mem, bytes, cudaMemcpyDeviceToHost)); if (memcmp(back.data(), host, bytes)) printf("WRONG %s\n", names[way]); C(cudaMemset(m.mem, 0, bytes)); C(cudaDeviceSynchronize()); }
        bar.wait();
      } });
    for (auto& t : th) t.join();
    auto med = [](std::vector<double> v) { std::sort(v.begin(), v.end()); return v[v.size() / 2]; };
    printf("%zu MB part %2zu MiB %-12s %.3f ms, enqueued %.3f, after the last fetch %.3f ms\n", bytes / 1000000, part >> 20, names[way], med(times) * 1e3, med(enq) * 1e3, med(lag)); fflush(stdout);
  }
}
