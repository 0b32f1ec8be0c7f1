module hengfu.example/sdk

go 1.19
