#include <cuda_runtime.h>
#include <cstdio>
#include <chrono>
#include <thread>
#include <vector>
#include <algorithm>
#include <sched.h>
#include <immintrin.h>
using C=std::chrono::steady_clock;
static double us(C::time_point a,C::time_point b){return std::chrono::duration<double,std::micro>(b-a).count();}
template<class F> void par(int T,F f){std::vector<std::thread> t;for(int k=0;k<T;k++)t.emplace_back([=]{cpu_set_t c;CPU_ZERO(&c);CPU_SET(k,&c);sched_setaffinity(0,sizeof c,&c);f(k);});for(auto&x:t)x.join();}
int main(){
  cudaStream_t s;cudaStreamCreate(&s);
  for(size_t mb: {1,4,16,64}){ size_t B=mb<<20; char*h,*d; cudaHostAlloc(&h,B,0); cudaMalloc(&d,B);
   for(int mode=0;mode<8;mode++){ std::vector<double> in,out;
    for(int rep=0;rep<15;rep++){
      const int T=15; size_t P=B/T/64*64;
      if(mode==1||mode==4) par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=8)*(volatile long*)(h+i)=rep+i;});
      if(mode==4) par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=64)_mm_clwb(h+i);_mm_sfence();});
      if(mode==2) par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=16)_mm_stream_si128((__m128i*)(h+i),_mm_set1_epi32(rep));_mm_sfence();});
      if(mode==3) par(T,[=](int k){long q=0;for(size_t i=k*P;i<(k+1)*P;i+=8)q+=*(volatile long*)(h+i);});
      if(mode==5) par(1,[=](int k){for(size_t i=0;i<B;i+=8)*(volatile long*)(h+i)=rep+i;});
      if(mode==6){par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=8)*(volatile long*)(h+i)=rep+i;});par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=64)_mm_clflushopt(h+i);_mm_sfence();});}
      if(mode==7){par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=8)*(volatile long*)(h+i)=rep+i;});std::this_thread::sleep_for(std::chrono::milliseconds(5));}
      auto a=C::now(); cudaMemcpyAsync(d,h,B,cudaMemcpyHostToDevice,s);cudaStreamSynchronize(s);auto b=C::now();
      in.push_back(us(a,b));
      if(mode==1||mode==3){ if(mode==1)par(T,[=](int k){for(size_t i=k*P;i<(k+1)*P;i+=8)*(volatile long*)(h+i)=rep+i;}); }
      auto e=C::now(); cudaMemcpyAsync(h,d,B,cudaMemcpyDeviceToHost,s);cudaStreamSynchronize(s);auto f=C::now(); out.push_back(us(e,f));
    }
    std::sort(in.begin(),in.end());std::sort(out.begin(),out.end());
    const char*n[]={"clean","written by 15","streamed by 15","read by 15","written+clwb","written by 1","written+clflushopt","written, 5 ms"};
    printf("%zu MB %-20s in %.1f us %.1f GB/s  out %.1f us\n",mb,n[mode],in[7],B/in[7]/1e3,out[7]);
   } }
}
