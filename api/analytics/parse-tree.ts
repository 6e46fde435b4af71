/** A node as `libpg-query` writes it: one key, its type. A missing node is an empty object. */
export type Tree = Record<string, unknown>

export function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The nodes of a list that may be absent. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** A scalar, or one wrapped in its kind: `{"ival": 1}`. */
export function isPlain(value: unknown): boolean {
  if (!isTree(value)) return !Array.isArray(value)
  return Object.values(value).every((each) => typeof each !== 'object' || each === null)
}

/** The parts of a qualified name, lower case as PostgreSQL folded them. */
export function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) return ['']
  return list.map((node) => {
    const string = isTree(node) ? node.String : undefined
    return isTree(string) && typeof string.sval === 'string' ? string.sval : ''
  })
}

/** The value of a whole number that is written out, or null. */
export function integerOf(node: unknown): bigint | null {
  if (!isTree(node)) return null
  if (isTree(node.TypeCast)) return integerOf(node.TypeCast.arg)
  if (isTree(node.A_Expr) && node.A_Expr.lexpr === undefined && namesOf(node.A_Expr.name)[0] === '-') {
    const value = integerOf(node.A_Expr.rexpr)
    return value === null ? null : -value
  }
  if (!isTree(node.A_Const)) return null
  const { ival, fval, sval } = node.A_Const
  if (isTree(ival)) return BigInt(typeof ival.ival === 'number' ? ival.ival : 0)
  const text = isTree(fval) ? fval.fval : isTree(sval) ? sval.sval : null
  return typeof text === 'string' && /^-?\d+$/.test(text) ? BigInt(text) : null
}

/** A literal or a parameter, cast or not: it has at most the length of one. */
export function isFixed(node: unknown): boolean {
  if (!isTree(node)) return false
  return isTree(node.TypeCast) ? isFixed(node.TypeCast.arg) : 'A_Const' in node || 'ParamRef' in node
}

/** A column, or a call of one argument that is written as a column. */
export function isColumn(node: unknown): boolean {
  return isTree(node) && 'ColumnRef' in node
}

/** The elements of `ARRAY[...]`, cast or not; null: something else. */
export function elementsOf(node: unknown): readonly unknown[] | null {
  if (!isTree(node)) return null
  if (isTree(node.TypeCast)) return elementsOf(node.TypeCast.arg)
  return isTree(node.A_ArrayExpr) ? listOf(node.A_ArrayExpr.elements) : null
}
