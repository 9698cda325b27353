"""The public names of JAX, by module, and of its settings: written by tools/jax_names.py."""
NAMES = {
    "": """
Array Device NamedSharding P Ref ShapeDtypeStruct Shard ad ad_checkpoint allow_f16_reductions api_util array_garbage_collection_guard
auto_pcast block_until_ready check_tracer_leaks checking_leaks checkpoint checkpoint_policies clear_caches closure_convert config
copy_to_host_async core custom_batching custom_derivatives custom_gradient custom_jvp custom_vjp debug debug_infs debug_key_reuse
debug_nans default_backend default_device default_matmul_precision default_prng_impl device_count device_get device_put devices
disable_jit distributed dlpack ds dtypes effects_barrier empty_ref enable_checks enable_custom_prng enable_x64 ensure_compile_time_eval
errors eval_shape example_libraries experimental explain_cache_misses export extend ffi float0 free_ref freeze fwd_and_bwd grad hessian
host_count host_id host_ids image interpreters jacfwd jacobian jacrev jax2tf_associative_scan_reductions jit jvp lax legacy_prng_key lib
linear_transpose linearize live_arrays local_device_count local_devices log_compiles make_array_from_callback
make_array_from_process_local_data make_array_from_single_device_arrays make_jaxpr make_mesh make_user_context memory monitoring
named_call named_scope new_ref nn no_execution no_tracing numpy numpy_dtype_promotion numpy_rank_promotion ops pmap
print_environment_info process_count process_index process_indices profiler pure_callback random ref remat
remove_size_one_mesh_axis_from_type reshard scipy set_mesh shard_map sharding smap softmax_custom_jvp stages thread_guard
threefry_partitionable tools transfer_guard transfer_guard_device_to_device transfer_guard_device_to_host transfer_guard_host_to_device
tree tree_util typeof typing value_and_grad version vjp vmap
""".split(),
    "ad_checkpoint": """
Offloadable Recompute Saveable checkpoint_name checkpoint_policies print_saved_residuals
""".split(),
    "api_util": """
argnums_partial debug_info donation_vector flatten_axes flatten_fun flatten_fun_nokwargs rebase_donate_argnums safe_map
shaped_abstractify
""".split(),
    "cloud_tpu_init": """

""".split(),
    "core": """
AbstractValue Atom ParamDict ShapedArray Trace Tracer Value ensure_compile_time_eval eval_context eval_jaxpr max_dim min_dim
""".split(),
    "custom_batching": """
custom_vmap sequential_vmap
""".split(),
    "custom_derivatives": """
CustomVJPPrimal SymbolicZero closure_convert custom_gradient custom_jvp custom_jvp_call_p custom_vjp custom_vjp_call_p
custom_vjp_primal_tree_values linear_call remat_opt_p zero_from_primal
""".split(),
    "debug": """
DebugEffect OrderedDebugEffect breakpoint callback inspect_array_sharding log print visualize_array_sharding visualize_sharding
""".split(),
    "distributed": """
initialize is_initialized shutdown
""".split(),
    "dlpack": """
from_dlpack is_supported_dtype
""".split(),
    "dtypes": """
TypePromotionError bfloat16 canonicalize_dtype extended finfo float0 iinfo issubdtype itemsize_bits prng_key result_type scalar_type_of
""".split(),
    "errors": """
ConcretizationTypeError InconclusiveDimensionOperation JAXIndexError JAXTypeError JaxRuntimeError JaxprTypeError KeyReuseError
NonConcreteBooleanIndexError TracerArrayConversionError TracerBoolConversionError TracerIntegerConversionError UnexpectedTracerError
""".split(),
    "example_libraries": """

""".split(),
    "example_libraries.optimizers": """
JoinPoint Optimizer OptimizerState adagrad adam adamax clip_grads constant exponential_decay inverse_time_decay l2_norm make_schedule
map momentum nesterov optimizer pack_optimizer_state piecewise_constant polynomial_decay rmsprop rmsprop_momentum safe_map safe_zip sgd
sm3 unpack_optimizer_state zip
""".split(),
    "example_libraries.stax": """
AvgPool BatchNorm Dense Dropout FanInConcat FanOut GeneralConv GeneralConvTranspose MaxPool SumPool elementwise elu gelu glorot
glorot_normal leaky_relu log_softmax logsoftmax normal ones parallel randn relu selu serial shape_dependent sigmoid softmax softplus
standardize zeros
""".split(),
    "experimental": """
EArray array_serialization colocated_python compilation_cache cur_qdd io_callback key_reuse mosaic pallas primal_tangent_dtype roofline
shard_map source_mapper sparse
""".split(),
    "experimental.array_serialization": """

""".split(),
    "experimental.buffer_callback": """
Buffer ExecutionContext ExecutionStage buffer_callback
""".split(),
    "experimental.checkify": """
Error JaxRuntimeError check check_error checkify debug_check init_error
""".split(),
    "experimental.compilation_cache": """
compilation_cache
""".split(),
    "experimental.compilation_cache.compilation_cache": """
reset_cache set_cache_dir
""".split(),
    "experimental.compute_on": """
compute_on compute_on2
""".split(),
    "experimental.control_deps": """
control_dep schedule
""".split(),
    "experimental.custom_partitioning": """
ArrayMapping CompoundFactor SdyShardingRule custom_partitioning custom_partitioning_p
""".split(),
    "experimental.fused": """
debug_info fused fused_p map safe_map safe_zip tree_flatten tree_unflatten typeof zip
""".split(),
    "experimental.hijax": """
AbstractRef AbstractValue AvalMutableQDD AvalQDD HiPrimitive HiPspec HiType MutableHiType ShapedArray TransformedRef VJPHiPrimitive Zero
aval_method aval_property control_flow_allowed_effects instantiate_zeros is_undefined_primal register_hitype
""".split(),
    "experimental.jet": """
JetTrace JetTracer ZeroSeries ZeroTerm def_comp def_deriv deflinear defzero deriv_prop fact jet linear_prop register_pytree_node
safe_zip tree_flatten tree_structure tree_unflatten treedef_is_leaf zero_prop zero_series zero_term
""".split(),
    "experimental.key_reuse": """

""".split(),
    "experimental.layout": """
Format Layout with_layout_constraint
""".split(),
    "experimental.mesh_utils": """
create_device_mesh create_hybrid_device_mesh
""".split(),
    "experimental.multihost_utils": """
P ProcessFailureError assert_equal broadcast_one_to_all global_array_to_host_local_array global_array_to_host_local_array_impl
global_array_to_host_local_array_p gtl_abstract_eval host_local_array_to_global_array host_local_array_to_global_array_impl
host_local_array_to_global_array_p live_devices ltg_abstract_eval ltg_batcher process_allgather reached_preemption_sync_point safe_zip
sync_global_devices tree_flatten tree_unflatten
""".split(),
    "experimental.ode": """
abs2 fit_4th_order_polynomial initial_step_size interp_fit_dopri map mean_error_ratio odeint optimal_step_size promote_dtypes_inexact
ravel_first_arg ravel_pytree runge_kutta_step safe_map safe_zip tree_leaves tree_map zip
""".split(),
    "experimental.pjit": """

""".split(),
    "experimental.profiler": """
get_profiled_instructions_proto
""".split(),
    "experimental.random": """
StatefulPRNG stateful_rng
""".split(),
    "experimental.rnn": """
Array custom_vjp get_num_params_in_lstm init_lstm_weight lstm lstm_bwd lstm_fwd lstm_ref rnn_abstract_eval rnn_bwd_abstract_eval
rnn_bwd_p rnn_fwd_p sigmoid swap_lstm_gates tanh unpack_lstm_weights
""".split(),
    "experimental.scheduling_groups": """
FlatTree attr_get dce_jaxpr_xla_metadata_rule debug_info map safe_map safe_zip scheduling_group tree_flatten tree_unflatten
xla_metadata_call xla_metadata_call_p zip
""".split(),
    "experimental.serialize_executable": """
deserialize_and_load serialize
""".split(),
    "experimental.shard_alike": """
shard_alike
""".split(),
    "experimental.shard_map": """

""".split(),
    "experimental.sparse": """
BCOO BCSR COO CSC CSR CuSparseEfficiencyWarning JAXSparse SparseEfficiencyError SparseEfficiencyWarning SparseTracer ad api bcoo
bcoo_broadcast_in_dim bcoo_concatenate bcoo_conv_general_dilated bcoo_dot_general bcoo_dot_general_p bcoo_dot_general_sampled
bcoo_dot_general_sampled_p bcoo_dynamic_slice bcoo_extract bcoo_extract_p bcoo_fromdense bcoo_fromdense_p bcoo_gather
bcoo_multiply_dense bcoo_multiply_sparse bcoo_reduce_sum bcoo_reshape bcoo_rev bcoo_slice bcoo_sort_indices bcoo_sort_indices_p
bcoo_spdot_general_p bcoo_squeeze bcoo_sum_duplicates bcoo_sum_duplicates_p bcoo_todense bcoo_todense_p bcoo_transpose bcoo_transpose_p
bcoo_update_layout bcsr bcsr_broadcast_in_dim bcsr_concatenate bcsr_dot_general bcsr_dot_general_p bcsr_extract bcsr_extract_p
bcsr_fromdense bcsr_fromdense_p bcsr_sum_duplicates bcsr_todense bcsr_todense_p coo coo_fromdense coo_fromdense_p coo_matmat
coo_matmat_p coo_matvec coo_matvec_p coo_todense coo_todense_p csr csr_fromdense csr_fromdense_p csr_matmat csr_matmat_p csr_matvec
csr_matvec_p csr_todense csr_todense_p empty eye grad jacfwd jacobian jacrev linalg random random_bcoo sparsify todense todense_p
transform util value_and_grad
""".split(),
    "experimental.sparse.ad": """
JAXSparse api_boundary flatten_fun_for_sparse_ad grad is_sparse jacfwd jacobian jacrev safe_zip value_and_grad
""".split(),
    "experimental.sparse.api": """
Array BCOO BCSR COO CSC CSR JAXSparse empty eye todense todense_p
""".split(),
    "experimental.sparse.bcoo": """
Array BCOO BCOOProperties Buffer CuSparseEfficiencyWarning GatherDimensionNumbers GatherScatterMode JAXSparse SparseEfficiencyError
SparseEfficiencyWarning SparseInfo bcoo_broadcast_in_dim bcoo_concatenate bcoo_conv_general_dilated bcoo_dot_general bcoo_dot_general_p
bcoo_dot_general_sampled bcoo_dot_general_sampled_p bcoo_dynamic_slice bcoo_eliminate_zeros bcoo_extract bcoo_extract_p bcoo_fromdense
bcoo_fromdense_p bcoo_gather bcoo_multiply_dense bcoo_multiply_sparse bcoo_reduce_sum bcoo_reshape bcoo_rev bcoo_slice bcoo_sort_indices
bcoo_sort_indices_p bcoo_spdot_general_p bcoo_squeeze bcoo_sum_duplicates bcoo_sum_duplicates_p bcoo_todense bcoo_todense_p
bcoo_transpose bcoo_transpose_p bcoo_update_layout coo_spmm_p coo_spmv_p nfold_vmap ranges_like remaining safe_zip vmap
""".split(),
    "experimental.sparse.bcsr": """
Array BCSR BCSRProperties CuSparseEfficiencyWarning JAXSparse SparseEfficiencyWarning SparseInfo bcsr_broadcast_in_dim bcsr_concatenate
bcsr_dot_general bcsr_dot_general_p bcsr_eliminate_zeros bcsr_extract bcsr_extract_p bcsr_fromdense bcsr_fromdense_p bcsr_sum_duplicates
bcsr_todense bcsr_todense_p nfold_vmap safe_zip
""".split(),
    "experimental.sparse.coo": """
Array COO COOInfo CuSparseEfficiencyWarning JAXSparse coo_fromdense coo_fromdense_p coo_matmat coo_matmat_p coo_matvec coo_matvec_p
coo_todense coo_todense_p promote_dtypes
""".split(),
    "experimental.sparse.csr": """
Array COOInfo CSC CSR CuSparseEfficiencyWarning JAXSparse csr_fromdense csr_fromdense_p csr_matmat csr_matmat_p csr_matvec csr_matvec_p
csr_todense csr_todense_p promote_dtypes
""".split(),
    "experimental.sparse.linalg": """
lobpcg_standard spsolve spsolve_p
""".split(),
    "experimental.sparse.random": """
Array random_bcoo vmap
""".split(),
    "experimental.sparse.transform": """
BCOO BCSR SparseTrace SparseTracer SparsifyEnv SparsifyValue arrays_to_spvalues bcoo_impl bcoo_multiply_dense bcoo_multiply_sparse
bcsr_impl eval_sparse impl lift_jvp prim safe_map safe_zip sparsify sparsify_fun sparsify_raw spvalues_to_arrays spvalues_to_avals
tree_flatten tree_map tree_unflatten
""".split(),
    "experimental.sparse.util": """
Array CuSparseEfficiencyWarning SparseEfficiencyError SparseEfficiencyWarning SparseInfo broadcasting_vmap flatten_axes nfold_vmap
safe_zip vmap
""".split(),
    "experimental.topologies": """
Device TopologyDescription get_attached_topology get_topology_desc make_mesh
""".split(),
    "experimental.transfer": """
TransferConnection TransferServer make_error_array start_transfer_server
""".split(),
    "experimental.xla_metadata": """
set_xla_metadata
""".split(),
    "export": """
DisabledSafetyCheck Exported SymbolicScope default_export_platform deserialize export is_symbolic_dim
maximum_supported_calling_convention_version minimum_supported_calling_convention_version register_namedtuple_serialization
register_pytree_node_serialization symbolic_args_specs symbolic_shape
""".split(),
    "extend": """
backend core ifrt_programs linear_util lowering mlir pallas random sharding source_info_util xla
""".split(),
    "extend.backend": """
backend_xla_version backends clear_backends clear_in_memory_compilation_cache get_backend get_compile_options get_default_device
register_backend_cache register_backend_factory
""".split(),
    "extend.core": """
AbstractToken CallPrimitive ClosedJaxpr DebugInfo DropVar Effect Effects InconclusiveDimensionOperation Jaxpr JaxprEqn JaxprTypeError
Literal Primitive Token TraceTag Var array_types call_impl check_jaxpr concrete_or_error find_top_trace gensym get_opaque_trace_state
jaxpr_as_fun jaxprs_in_params mapped_aval new_jaxpr_eqn no_effects nonempty_axis_env_DO_NOT_USE primal_dtype_to_tangent_dtype primitives
set_current_trace subjaxprs take_current_trace unmapped_aval unsafe_am_i_under_a_jit_DO_NOT_USE unsafe_am_i_under_a_vmap_DO_NOT_USE
unsafe_get_axis_names_DO_NOT_USE valid_jaxtype
""".split(),
    "extend.core.primitives": """
abs_p acos_p acosh_p add_jaxvals_p add_p after_all_p all_gather_p all_to_all_p and_p approx_top_k_p argmax_p argmin_p asin_p asinh_p
atan2_p atan_p atanh_p axis_index_p bessel_i0e_p bessel_i1e_p bitcast_convert_type_p broadcast_in_dim_p call_p cbrt_p ceil_p cholesky_p
clamp_p closed_call_p clz_p complex_p concatenate_p cond_p conj_p conv_general_dilated_p convert_element_type_p copy_p cos_p cosh_p
create_token_p cumlogsumexp_p cummax_p cummin_p cumprod_p cumsum_p custom_jvp_call_p custom_lin_p custom_vjp_call_p device_put_p
digamma_p div_p dot_general_p dynamic_slice_p dynamic_update_slice_p eig_p eigh_p empty2_p eq_p eq_to_p erf_inv_p erf_p erfc_p exp2_p
exp_p expm1_p fft_p floor_p gather_p ge_p get_p gt_p hessenberg_p householder_product_p igamma_grad_a_p igamma_p igammac_p imag_p
integer_pow_p iota_p is_finite_p jit_p le_p le_to_p lgamma_p linear_solve_p log1p_p log_p logistic_p lt_p lt_to_p lu_p max_p min_p mul_p
name_p ne_p neg_p nextafter_p not_p or_p pad_p pmax_p pmin_p polygamma_p population_count_p pow_p ppermute_p psum_p qr_p
ragged_all_to_all_p random_bits_p random_fold_in_p random_gamma_p random_seed_p random_split_p real_p reduce_and_p reduce_max_p
reduce_min_p reduce_or_p reduce_p reduce_precision_p reduce_prod_p reduce_sum_p reduce_window_max_p reduce_window_min_p reduce_window_p
reduce_window_sum_p reduce_xor_p regularized_incomplete_beta_p rem_p remat_p reshape_p rev_p rng_bit_generator_p rng_uniform_p round_p
rsqrt_p scan_p scatter_add_p scatter_max_p scatter_min_p scatter_mul_p scatter_p schur_p select_and_gather_add_p
select_and_scatter_add_p select_and_scatter_p select_n_p sharding_constraint_p shift_left_p shift_right_arithmetic_p
shift_right_logical_p sign_p sin_p sinh_p slice_p sort_p sqrt_p square_p squeeze_p stop_gradient_p sub_p svd_p swap_p tan_p tanh_p
threefry2x32_p top_k_p transpose_p triangular_solve_p tridiagonal_p tridiagonal_solve_p while_p xor_p zeta_p
""".split(),
    "extend.ifrt_programs": """

""".split(),
    "extend.linear_util": """
Callable StoreException WrappedFun cache merge_linear_aux transformation transformation2 transformation_with_aux
transformation_with_aux2 wrap_init
""".split(),
    "extend.lowering": """
JaxIrContext LoweringRuleContext upstream_dialects
""".split(),
    "extend.pallas": """
GridMapping register_lowering_rule
""".split(),
    "extend.random": """
define_prng_impl random_seed rbg_prng_impl seed_with_impl threefry2x32_p threefry_2x32 threefry_prng_impl unsafe_rbg_prng_impl
""".split(),
    "extend.sharding": """
GSPMDSharding get_hlo_sharding_from_serialized_proto get_op_sharding_from_serialized_proto get_serialized_proto_from_hlo_sharding
""".split(),
    "extend.source_info_util": """
NameStack SourceInfo current current_name_stack extend_name_stack new_name_stack new_source_info register_exclusion reset_name_stack
set_name_stack summarize transform_name_stack user_context
""".split(),
    "extend.xla": """
PipelineStage clear_hlo_module_transformation register_hlo_module_transformation
""".split(),
    "ffi": """
build_ffi_lowering_function ffi_call ffi_lowering include_dir pycapsule register_ffi_target register_ffi_target_as_batch_partitionable
register_ffi_type register_ffi_type_id
""".split(),
    "flatten_util": """
ravel_pytree
""".split(),
    "image": """
ResizeMethod resize scale_and_translate
""".split(),
    "interpreters": """
ad batching mlir partial_eval pxla xla
""".split(),
    "interpreters.ad": """
JVPTrace JVPTracer UndefinedPrimal Zero add_jaxvals add_jaxvals_p add_tangents defbilinear defjvp defjvp2 deflinear deflinear2
get_primitive_transpose instantiate_zeros is_undefined_primal jvp linearize primitive_jvps primitive_transposes zeros_like_aval
""".split(),
    "interpreters.batching": """
axis_primitive_batchers bdim_at_front broadcast defbroadcasting defreducer defvectorized fancy_primitive_batchers primitive_batchers
register_vmappable unregister_vmappable
""".split(),
    "interpreters.partial_eval": """
DynamicJaxprTracer JaxprTracer PartialVal Val custom_partial_eval_rules dce_jaxpr dce_jaxpr_call_rule dce_jaxpr_closed_call_rule
dce_jaxpr_consts dce_rules partial_eval_jaxpr_custom_rules trace_to_jaxpr_dynamic trace_to_jaxpr_nounits
""".split(),
    "interpreters.pxla": """
create_compile_options
""".split(),
    "lax": """
AccuracyMode ConvDimensionNumbers ConvGeneralDilatedDimensionNumbers DotAlgorithm DotAlgorithmPreset DotDimensionNumbers FftType
GatherDimensionNumbers GatherScatterMode Precision PrecisionLike RaggedDotDimensionNumbers RandomAlgorithm RoundingMethod
ScatterDimensionNumbers Tolerance abs abs_p acos acos_p acosh acosh_p add add_p after_all after_all_p all_gather all_gather_p all_to_all
all_to_all_p and_p approx_max_k approx_min_k approx_top_k_p argmax argmax_p argmin argmin_p asin asin_p asinh asinh_p associative_scan
atan atan2 atan2_p atan_p atanh atanh_p axis_index axis_index_p axis_size batch_matmul bessel_i0e bessel_i0e_p bessel_i1e bessel_i1e_p
betainc bitcast_convert_type bitcast_convert_type_p bitwise_and bitwise_not bitwise_or bitwise_xor broadcast broadcast_in_dim
broadcast_in_dim_p broadcast_like broadcast_shapes broadcast_to_rank broadcasted_iota cbrt cbrt_p ceil ceil_p clamp clamp_p clz clz_p
collapse complex complex_p composite concatenate concatenate_p cond cond_p conj conj_p conv conv_dimension_numbers conv_general_dilated
conv_general_dilated_local conv_general_dilated_p conv_general_dilated_patches conv_general_permutations conv_general_shape_tuple
conv_shape_tuple conv_transpose conv_transpose_shape_tuple conv_with_general_padding convert_element_type convert_element_type_p copy_p
cos cos_p cosh cosh_p create_token create_token_p cumlogsumexp cumlogsumexp_p cummax cummax_p cummin cummin_p cumprod cumprod_p cumsum
cumsum_p custom_linear_solve custom_root dce_sink dce_sink_p device_put_p digamma digamma_p div div_p dot dot_general dot_general_p
dtype dynamic_index_in_dim dynamic_slice dynamic_slice_in_dim dynamic_slice_p dynamic_update_index_in_dim dynamic_update_slice
dynamic_update_slice_in_dim dynamic_update_slice_p empty eq eq_p eq_to_p erf erf_inv erf_inv_p erf_p erfc erfc_p exp exp2 exp2_p exp_p
expand_dims expm1 expm1_p fft fft_p floor floor_p fori_loop full full_like gather gather_p ge ge_p gt gt_p igamma igamma_grad_a
igamma_grad_a_p igamma_p igammac igammac_p imag imag_p index_in_dim index_take integer_pow integer_pow_p iota iota_p is_finite
is_finite_p le le_p le_to_p lgamma lgamma_p linalg linear_solve_p log log1p log1p_p log_p logistic logistic_p lt lt_p lt_to_p map max
max_p min min_p mul mul_p mulhi mulhi_p ne ne_p neg neg_p nextafter nextafter_p not_p optimization_barrier optimization_barrier_p or_p
pad pad_p padtype_to_pads pbroadcast pcast platform_dependent pmax pmax_p pmean pmin pmin_p polygamma polygamma_p population_count
population_count_p pow pow_p ppermute ppermute_p precv psend pshuffle psum psum_p psum_scatter pswapaxes ragged_all_to_all
ragged_all_to_all_p ragged_dot ragged_dot_general random_gamma_grad real real_p reciprocal reduce reduce_and reduce_and_p reduce_max
reduce_max_p reduce_min reduce_min_p reduce_or reduce_or_p reduce_p reduce_precision reduce_precision_p reduce_prod reduce_prod_p
reduce_sum reduce_sum_p reduce_window reduce_window_max_p reduce_window_min_p reduce_window_p reduce_window_shape_tuple
reduce_window_sum_p reduce_xor reduce_xor_p regularized_incomplete_beta_p rem rem_p reshape reshape_p rev rev_p rng_bit_generator
rng_bit_generator_p rng_uniform rng_uniform_p round round_p rsqrt rsqrt_p scaled_dot scan scan_p scatter scatter_add scatter_add_p
scatter_apply scatter_max scatter_max_p scatter_min scatter_min_p scatter_mul scatter_mul_p scatter_p scatter_sub scatter_sub_p select
select_and_gather_add_p select_and_scatter_add_p select_and_scatter_p select_n select_n_p shape_as_value sharding_constraint_p
shift_left shift_left_p shift_right_arithmetic shift_right_arithmetic_p shift_right_logical shift_right_logical_p sign sign_p sin sin_p
sinh sinh_p slice slice_in_dim slice_p sort sort_key_val sort_p split split_p sqrt sqrt_p square square_p squeeze squeeze_p stack
stack_p stage stage_p stop_gradient stop_gradient_p sub sub_p switch tan tan_p tanh tanh_p tile tile_p top_k top_k_p transpose
transpose_p unstack unstack_p while_loop while_p with_sharding_constraint xor_p zeta zeta_p
""".split(),
    "lax.linalg": """
EigImplementation EighImplementation SvdAlgorithm cholesky cholesky_p cholesky_update cholesky_update_p eig eig_p eigh eigh_p hessenberg
hessenberg_p householder_product householder_product_p lu lu_p lu_pivots_to_permutation lu_pivots_to_permutation_p ormqr ormqr_p qdwh qr
qr_p schur schur_p svd svd_p symmetric_product symmetric_product_p triangular_solve triangular_solve_p tridiagonal tridiagonal_p
tridiagonal_solve tridiagonal_solve_p
""".split(),
    "monitoring": """
clear_event_listeners record_event record_event_duration_secs record_event_time_span record_scalar register_event_duration_secs_listener
register_event_listener register_event_time_span_listener register_scalar_listener unregister_event_duration_listener
unregister_event_listener unregister_event_time_span_listener unregister_scalar_listener
""".split(),
    "nn": """
celu dot_product_attention elu gelu get_scaled_dot_general_config glu hard_sigmoid hard_silu hard_swish hard_tanh identity initializers
leaky_relu log1mexp log_sigmoid log_softmax logmeanexp logsumexp mish one_hot relu relu6 scaled_dot_general scaled_matmul selu sigmoid
silu soft_sign softmax softplus sparse_plus sparse_sigmoid squareplus standardize swish tanh
""".split(),
    "nn.initializers": """
Initializer constant delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform kaiming_normal kaiming_uniform lecun_normal
lecun_uniform normal ones orthogonal truncated_normal uniform variance_scaling xavier_normal xavier_uniform zeros
""".split(),
    "numpy": """
ComplexWarning abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis apply_over_axes arange arccos
arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort argwhere around array array_equal array_equiv
array_repr array_split array_str asarray asin asinh astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett bfloat16
bincount bitwise_and bitwise_count bitwise_invert bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor blackman
block bool bool_ broadcast_arrays broadcast_shapes broadcast_to c_ can_cast cbrt cdouble ceil character choose clip column_stack
complex128 complex64 complex_ complexfloating compress concat concatenate conj conjugate convolve copy copysign corrcoef correlate cos
cosh count_nonzero cov cross csingle cumprod cumsum cumulative_prod cumulative_sum deg2rad degrees delete diag diag_indices
diag_indices_from diagflat diagonal diff digitize divide divmod dot double dsplit dstack dtype e ediff1d einsum einsum_path empty
empty_like equal euler_gamma exp exp2 expand_dims expm1 extract eye fabs fft fill_diagonal finfo flatnonzero flexible flip fliplr flipud
float16 float32 float4_e2m1fn float64 float6_e2m3fn float6_e3m2fn float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn
float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float8_e8m0fnu float_ float_power floating floor floor_divide fmax fmin fmod frexp
from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromstring full full_like gcd generic geomspace get_printoptions
gradient greater greater_equal hamming hanning heaviside histogram histogram2d histogram_bin_edges histogramdd hsplit hstack hypot i0
identity iinfo imag index_exp indices inexact inf inner insert int1 int16 int2 int32 int4 int64 int8 int_ integer interp intersect1d
invert isclose iscomplex iscomplexobj isdtype isfinite isin isinf isnan isneginf isposinf isreal isrealobj isscalar issubdtype iterable
ix_ kaiser kron lcm ldexp left_shift less less_equal lexsort linalg linspace load log log10 log1p log2 logaddexp logaddexp2 logical_and
logical_not logical_or logical_xor logspace mask_indices matmul matrix_transpose matvec max maximum mean median meshgrid mgrid min
minimum mod modf moveaxis multiply nan nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile
nanprod nanquantile nanstd nansum nanvar ndarray ndim negative newaxis nextafter nonzero not_equal number object_ ogrid ones ones_like
outer packbits pad partition percentile permute_dims pi piecewise place poly polyadd polyder polydiv polyfit polyint polymul polysub
polyval positive pow power printoptions prod promote_types ptp put put_along_axis quantile r_ rad2deg radians ravel ravel_multi_index
real reciprocal remainder repeat reshape resize result_type right_shift rint roll rollaxis roots rot90 round s_ save savez searchsorted
select set_printoptions setdiff1d setxor1d shape sign signbit signedinteger sin sinc single sinh size sort sort_complex spacing split
sqrt square squeeze stack std subtract sum swapaxes take take_along_axis tan tanh tensordot tile trace transpose trapezoid tri tril
tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from true_divide trunc ufunc uint uint1 uint16 uint2 uint32
uint4 uint64 uint8 union1d unique unique_all unique_counts unique_inverse unique_values unpackbits unravel_index unsignedinteger unstack
unwrap vander var vdot vecdot vecmat vectorize vsplit vstack where zeros zeros_like
""".split(),
    "numpy.fft": """
fft fft2 fftfreq fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft irfft irfft2 irfftn rfft rfft2 rfftfreq rfftn
""".split(),
    "numpy.linalg": """
cholesky cond cross det diagonal eig eigh eigvals eigvalsh inv lstsq matmul matrix_norm matrix_power matrix_rank matrix_transpose
multi_dot norm outer pinv qr slogdet solve svd svdvals tensordot tensorinv tensorsolve trace vecdot vector_norm
""".split(),
    "ops": """
segment_max segment_min segment_prod segment_sum
""".split(),
    "profiler": """
ProfileData ProfileEvent ProfileOptions ProfilePlane StepTraceAnnotation TraceAnnotation annotate_function device_memory_profile
register_subprocess save_device_memory_profile start_server start_trace stop_server stop_trace trace
""".split(),
    "random": """
PRNGKey ball bernoulli beta binomial bits categorical cauchy chisquare choice clone dirichlet double_sided_maxwell exponential f fold_in
gamma generalized_normal geometric gumbel key key_data key_dtype key_impl laplace loggamma logistic lognormal maxwell multinomial
multivariate_normal normal orthogonal pareto permutation poisson rademacher randint random_gamma_p rayleigh split t triangular
truncated_normal uniform wald weibull_min wrap_key_data
""".split(),
    "ref": """
AbstractRef Ref addupdate empty_ref free_ref freeze get new_ref set swap
""".split(),
    "scipy": """
cluster fft integrate interpolate linalg ndimage signal sparse special stats
""".split(),
    "scipy.cluster": """
vq
""".split(),
    "scipy.cluster.vq": """
vq
""".split(),
    "scipy.fft": """
dct dctn idct idctn
""".split(),
    "scipy.integrate": """
trapezoid
""".split(),
    "scipy.interpolate": """
RegularGridInterpolator
""".split(),
    "scipy.linalg": """
block_diag cho_factor cho_solve cholesky circulant companion convolution_matrix det dft eigh eigh_tridiagonal expm expm_frechet fiedler
fiedler_companion funm hadamard hankel helmert hessenberg hilbert inv invhilbert invpascal leslie lu lu_factor lu_solve pascal polar qr
qr_multiply rsf2csf schur solve solve_sylvester solve_triangular sqrtm svd toeplitz
""".split(),
    "scipy.ndimage": """
map_coordinates
""".split(),
    "scipy.optimize": """
OptimizeResults minimize
""".split(),
    "scipy.signal": """
convolve convolve2d correlate correlate2d csd detrend fftconvolve istft stft welch
""".split(),
    "scipy.sparse": """
linalg
""".split(),
    "scipy.sparse.linalg": """
bicgstab cg gmres
""".split(),
    "scipy.spatial": """

""".split(),
    "scipy.spatial.transform": """
Rotation Slerp
""".split(),
    "scipy.special": """
bernoulli bessel_jn beta betainc betaln boxcox boxcox1p comb dawsn digamma entr erf erfc erfcx erfinv exp1 expi expit expn factorial
fresnel gamma gammainc gammaincc gammaln gammasgn hyp1f1 hyp2f1 i0 i0e i1 i1e kl_div log_ndtr log_softmax loggamma logit logsumexp
multigammaln ndtr ndtri owens_t poch polygamma rel_entr sici softmax spence sph_harm_y wofz xlog1py xlogy zeta
""".split(),
    "scipy.stats": """
bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gaussian_kde gennorm geom gumbel_l gumbel_r laplace logistic mode
multinomial multivariate_normal nbinom norm pareto poisson rankdata sem t truncnorm uniform vonmises wrapcauchy
""".split(),
    "scipy.stats.bernoulli": """
cdf logpmf pmf ppf
""".split(),
    "scipy.stats.beta": """
cdf logcdf logpdf logsf pdf sf
""".split(),
    "scipy.stats.betabinom": """
logpmf pmf
""".split(),
    "scipy.stats.binom": """
logpmf pmf
""".split(),
    "scipy.stats.cauchy": """
cdf isf logcdf logpdf logsf pdf ppf sf
""".split(),
    "scipy.stats.chi2": """
cdf logcdf logpdf logsf pdf sf
""".split(),
    "scipy.stats.dirichlet": """
logpdf pdf
""".split(),
    "scipy.stats.expon": """
cdf logcdf logpdf logsf pdf ppf sf
""".split(),
    "scipy.stats.gamma": """
cdf logcdf logpdf logsf pdf sf
""".split(),
    "scipy.stats.gennorm": """
cdf logpdf pdf
""".split(),
    "scipy.stats.geom": """
logpmf pmf
""".split(),
    "scipy.stats.gumbel_l": """
cdf logcdf logpdf logsf pdf ppf sf
""".split(),
    "scipy.stats.gumbel_r": """
cdf logcdf logpdf logsf pdf ppf sf
""".split(),
    "scipy.stats.laplace": """
cdf logpdf pdf
""".split(),
    "scipy.stats.logistic": """
cdf isf logpdf pdf ppf sf
""".split(),
    "scipy.stats.multinomial": """
logpmf pmf
""".split(),
    "scipy.stats.multivariate_normal": """
logpdf pdf
""".split(),
    "scipy.stats.nbinom": """
logpmf pmf
""".split(),
    "scipy.stats.norm": """
cdf isf logcdf logpdf logsf pdf ppf sf
""".split(),
    "scipy.stats.pareto": """
cdf logcdf logpdf logsf pdf ppf sf
""".split(),
    "scipy.stats.poisson": """
cdf entropy logpmf pmf
""".split(),
    "scipy.stats.t": """
logpdf pdf
""".split(),
    "scipy.stats.truncnorm": """
cdf logcdf logpdf logsf pdf sf
""".split(),
    "scipy.stats.uniform": """
cdf logpdf pdf ppf
""".split(),
    "scipy.stats.vonmises": """
logpdf pdf
""".split(),
    "scipy.stats.wrapcauchy": """
logpdf pdf
""".split(),
    "sharding": """
AbstractDevice AbstractMesh AxisType ManualAxisType Mesh NamedSharding PartitionSpec Sharding SingleDeviceSharding auto_axes
explicit_axes get_abstract_mesh get_mesh make_single_device_sharding reshard set_mesh use_abstract_mesh
""".split(),
    "stages": """
ArgInfo Compiled CompilerOptions Lowered Traced Wrapped
""".split(),
    "test_util": """
check_grads check_jvp check_vjp
""".split(),
    "tree": """
all broadcast flatten flatten_with_path leaves leaves_with_path map map_with_path reduce reduce_associative static structure transpose
unflatten
""".split(),
    "tree_util": """
DictKey FlattenedIndexKey GetAttrKey KeyEntry KeyPath Partial PyTreeDef SequenceKey all_leaves default_registry flatten_one_level
flatten_one_level_with_keys is_tree_node keystr register_dataclass register_pytree_node register_pytree_node_class
register_pytree_with_keys register_pytree_with_keys_class register_static tree_all tree_broadcast tree_flatten tree_flatten_with_path
tree_leaves tree_leaves_with_path tree_map tree_map_with_path tree_reduce tree_reduce_associative tree_structure tree_transpose
tree_unflatten treedef_children treedef_is_leaf treedef_tuple
""".split(),
    "typing": """
ArrayLike DTypeLike
""".split(),
    "version": """

""".split(),
}
SETTINGS = frozenset("""
check_vma eager_constant_folding jax2tf_associative_scan_reductions jax2tf_default_native_serialization jax_allow_f16_reductions
jax_array_garbage_collection_guard jax_auto_pcast jax_backend_target jax_bcoo_cusparse_lowering jax_captured_constants_report_frames
jax_captured_constants_warn_bytes jax_check_proxy_envs jax_check_static_indices jax_check_tracer_leaks
jax_compilation_cache_check_contents jax_compilation_cache_dir jax_compilation_cache_expect_pgle
jax_compilation_cache_include_metadata_in_key jax_compilation_cache_max_size jax_compiler_detailed_logging_min_ops
jax_compiler_enable_remat_pass jax_cpu_collectives_implementation jax_cpu_enable_async_dispatch
jax_cpu_get_global_topology_timeout_minutes jax_cpu_get_local_topology_timeout_minutes jax_cross_host_transfer_socket_address
jax_cross_host_transfer_timeout_seconds jax_cross_host_transfer_transfer_size jax_cross_host_transport_addresses
jax_cuda_visible_devices jax_custom_vjp3 jax_debug_infs jax_debug_key_reuse jax_debug_leaked_clients_on_clear_backends
jax_debug_log_modules jax_debug_nans jax_default_device jax_default_matmul_precision jax_default_prng_impl jax_disable_bwd_checks
jax_disable_jit jax_disable_most_optimizations jax_disable_vmap_shmap_error jax_disallow_mesh_context_manager jax_distributed_debug
jax_dump_ir_modes jax_dump_ir_to jax_embedded_constants_max_bytes jax_enable_checks jax_enable_compilation_cache jax_enable_custom_prng
jax_enable_pgle jax_enable_preemption_service jax_enable_recoverability jax_enable_x64 jax_error_checking_behavior_divide
jax_error_checking_behavior_nan jax_error_checking_behavior_oob jax_exec_time_optimization_effort
jax_experimental_unsafe_xla_runtime_errors jax_explain_cache_misses jax_explicit_x64_dtypes jax_export_calling_convention_version
jax_export_ignore_forward_compatibility jax_force_dcn_cross_host_transfers jax_high_dynamic_range_gumbel
jax_hlo_source_file_canonicalization_regex jax_include_debug_info_in_dumps jax_include_full_tracebacks_in_locations jax_legacy_prng_key
jax_log_checkpoint_residuals jax_log_compiles jax_logging_level jax_memory_fitting_effort jax_memory_fitting_level jax_mock_gpu_topology
jax_mosaic_allow_hlo jax_mutable_array_checks jax_no_execution jax_no_tracing jax_num_cpu_devices jax_numpy_dtype_promotion
jax_numpy_rank_promotion jax_oneapi_visible_devices jax_optimization_level jax_pallas_enable_debug_checks jax_pallas_poison_buffers
jax_pallas_use_mosaic_gpu jax_pallas_verbose_errors jax_persistent_cache_enable_xla_caches jax_persistent_cache_min_compile_time_secs
jax_persistent_cache_min_entry_size_bytes jax_pgle_aggregation_percentile jax_pgle_profiling_runs jax_pjrt_client_create_options
jax_platform_name jax_platforms jax_pprint_use_color jax_ragged_dot_use_gpu_pallas_triton_lowering
jax_ragged_dot_use_ragged_dot_instruction jax_raise_persistent_cache_errors jax_random_seed_offset jax_refs_to_pins jax_remat3
jax_remove_custom_partitioning_ptr_from_cache_key jax_remove_size_one_mesh_axis_from_type jax_rocm_visible_devices jax_scan3
jax_send_traceback_to_runtime jax_serialization_version jax_share_binary_between_hosts jax_share_binary_between_hosts_timeout_ms
jax_softmax_custom_jvp jax_sort_devices_by_process_index jax_source_url_schema jax_thread_guard jax_threefry_gpu_kernel_lowering
jax_threefry_partitionable jax_traceback_filtering jax_traceback_in_locations_limit jax_tracer_error_num_traceback_frames
jax_transfer_guard jax_transfer_guard_device_to_device jax_transfer_guard_device_to_host jax_transfer_guard_host_to_device
jax_use_direct_linearize jax_use_emit_pipeline_primitive jax_use_magma jax_use_shardy_partitioner jax_use_simplified_jaxpr_constants
jax_xla_backend jax_xla_profile_version mock_num_gpu_processes
""".split())
