#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
#include <algorithm>
// time of C[rows x n] = A[rows x k] B[k x n], row-major, for several row counts; queue of 8 launches, per launch, and single
template<class T> void go(const char* name, int n){
  cublasHandle_t h; cublasCreate(&h); cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH);
  T *a,*b,*c; cudaMalloc(&a,sizeof(T)*n*n); cudaMalloc(&b,sizeof(T)*n*n); cudaMalloc(&c,sizeof(T)*n*n);
  cudaMemset(a,0,sizeof(T)*n*n); cudaMemset(b,0,sizeof(T)*n*n);
  cudaStream_t s; cudaStreamCreate(&s); cublasSetStream(h,s);
  cudaEvent_t e0,e1; cudaEventCreate(&e0); cudaEventCreate(&e1);
  for(int rows=32; rows<=n; rows = rows<256? rows*2 : (rows< 1024? rows+128: rows+512)){
    std::vector<float> t;
    for(int rep=0;rep<9;rep++){
      cudaEventRecord(e0,s);
      for(int q=0;q<4;q++){ T one=1,zero=0;
        if constexpr(sizeof(T)==4) cublasSgemm(h,CUBLAS_OP_N,CUBLAS_OP_N,n,rows,n,&one,b,n,a,n,&zero,c,n);
        else cublasDgemm(h,CUBLAS_OP_N,CUBLAS_OP_N,n,rows,n,&one,b,n,a,n,&zero,c,n); }
      cudaEventRecord(e1,s); cudaEventSynchronize(e1); float ms; cudaEventElapsedTime(&ms,e0,e1); t.push_back(ms*1000/4);
    }
    std::sort(t.begin(),t.end());
    printf("%s,%d,%d,%.2f\n",name,n,rows,t[4]);
  }
  cudaFree(a);cudaFree(b);cudaFree(c);
}
int main(){ for(int n: {1024,2048,4096,6144}) go<float>("f32",n); for(int n: {1024,2048,4096}) go<double>("f64",n); }
