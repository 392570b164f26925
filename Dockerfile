# docker build -t rowan .; docker run -v "$PWD:/data" rowan multiply A.mtx -o C.mtx
FROM debian:12-slim AS build
COPY . /rowan
WORKDIR /rowan
RUN apt-get update && scripts/install-packages.sh
RUN cmake -S . -B build/image -G Ninja -DCMAKE_BUILD_TYPE=Release -DROWAN_BUILD_TESTS=OFF -DROWAN_BUILD_BENCH=OFF && \
    cmake --build build/image && cmake --install build/image --prefix /opt/rowan --strip

FROM debian:12-slim
RUN apt-get update && apt-get install -y --no-install-recommends libtbb12 libhwy1 zlib1g libzip4 libfmt9 libxgboost0 && \
    rm -r /var/lib/apt/lists/*
COPY --from=build /opt/rowan /usr/local
RUN rowan info
WORKDIR /data
ENTRYPOINT ["rowan"]
CMD ["--help"]
