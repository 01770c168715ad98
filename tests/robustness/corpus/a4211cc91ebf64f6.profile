subgroup.max_size=2
subgroup.stages=3
subgroup.operations=3
float.f64=3
float.denorm_independence=0
format.rat=1limi