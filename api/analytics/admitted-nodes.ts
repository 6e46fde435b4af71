/**
 * What a query may be made of: every node of PostgreSQL's parse tree that is admitted, with every field that it may
 * have. A node or a field that is not listed is refused, so what a later version of the parser adds is refused too.
 *
 * A field holds a plain value (`value`), a node or a list of nodes of any admitted type (`node`, `nodes`), or one node
 * of a known type, which the tree writes without its name.
 */
export type FieldKind = 'value' | 'node' | 'nodes' | AdmittedNode

/** Fields of these names tell a position or how something was written. */
export const positions: ReadonlySet<string> = new Set([
  'location',
  'list_start',
  'list_end',
  'rexpr_list_start',
  'rexpr_list_end',
  'name_location',
])

export type AdmittedNode = keyof typeof admittedNodes

export const admittedNodes = {
  // Queries. Not listed: intoClause, lockingClause (SELECT INTO, FOR UPDATE).
  SelectStmt: {
    distinctClause: 'nodes',
    targetList: 'nodes',
    fromClause: 'nodes',
    whereClause: 'node',
    groupClause: 'nodes',
    groupDistinct: 'value',
    groupByAll: 'value',
    havingClause: 'node',
    windowClause: 'nodes',
    valuesLists: 'nodes',
    sortClause: 'nodes',
    limitOffset: 'node',
    limitCount: 'node',
    limitOption: 'value',
    withClause: 'WithClause',
    op: 'value',
    all: 'value',
    larg: 'SelectStmt',
    rarg: 'SelectStmt',
  },
  WithClause: { ctes: 'nodes', recursive: 'value' },
  CommonTableExpr: { ctename: 'value', aliascolnames: 'nodes', ctematerialized: 'value', ctequery: 'node' },
  ResTarget: { name: 'value', val: 'node' },
  SortBy: { node: 'node', sortby_dir: 'value', sortby_nulls: 'value' },
  GroupingSet: { kind: 'value', content: 'nodes' },
  WindowDef: {
    name: 'value',
    refname: 'value',
    partitionClause: 'nodes',
    orderClause: 'nodes',
    frameOptions: 'value',
    startOffset: 'node',
    endOffset: 'node',
  },
  // Sources of rows.
  RangeVar: { schemaname: 'value', relname: 'value', inh: 'value', relpersistence: 'value', alias: 'Alias' },
  RangeSubselect: { lateral: 'value', subquery: 'node', alias: 'Alias' },
  RangeFunction: {
    lateral: 'value',
    ordinality: 'value',
    is_rowsfrom: 'value',
    functions: 'nodes',
    alias: 'Alias',
  },
  JoinExpr: {
    jointype: 'value',
    isNatural: 'value',
    larg: 'node',
    rarg: 'node',
    usingClause: 'nodes',
    join_using_alias: 'Alias',
    quals: 'node',
    alias: 'Alias',
  },
  Alias: { aliasname: 'value', colnames: 'nodes' },
  // Expressions.
  ColumnRef: { fields: 'nodes' },
  ParamRef: { number: 'value' },
  A_Const: { ival: 'value', fval: 'value', boolval: 'value', sval: 'value', isnull: 'value' },
  A_Expr: { kind: 'value', name: 'nodes', lexpr: 'node', rexpr: 'node' },
  BoolExpr: { boolop: 'value', args: 'nodes' },
  NullTest: { arg: 'node', nulltesttype: 'value', argisrow: 'value' },
  BooleanTest: { arg: 'node', booltesttype: 'value' },
  CaseExpr: { arg: 'node', args: 'nodes', defresult: 'node' },
  CaseWhen: { expr: 'node', result: 'node' },
  CoalesceExpr: { args: 'nodes' },
  MinMaxExpr: { op: 'value', args: 'nodes' },
  SubLink: { subLinkType: 'value', testexpr: 'node', operName: 'nodes', subselect: 'node' },
  FuncCall: {
    funcname: 'nodes',
    args: 'nodes',
    agg_order: 'nodes',
    agg_filter: 'node',
    over: 'WindowDef',
    agg_within_group: 'value',
    agg_star: 'value',
    agg_distinct: 'value',
    func_variadic: 'value',
    funcformat: 'value',
  },
  NamedArgExpr: { arg: 'node', name: 'value', argnumber: 'value' },
  GroupingFunc: { args: 'nodes' },
  SQLValueFunction: { op: 'value', typmod: 'value' },
  TypeCast: { arg: 'node', typeName: 'TypeName' },
  TypeName: { names: 'nodes', typmods: 'nodes', typemod: 'value', arrayBounds: 'nodes' },
  CollateClause: { arg: 'node', collname: 'nodes' },
  A_ArrayExpr: { elements: 'nodes' },
  A_Indirection: { arg: 'node', indirection: 'nodes' },
  A_Indices: { is_slice: 'value', lidx: 'node', uidx: 'node' },
  RowExpr: { args: 'nodes', row_format: 'value', colnames: 'nodes' },
  List: { items: 'nodes' },
  // Leaves.
  A_Star: {},
  String: { sval: 'value' },
  Integer: { ival: 'value' },
} as const satisfies Record<string, Record<string, string>>
