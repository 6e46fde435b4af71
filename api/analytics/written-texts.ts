import { elementsOf, isTree, namesOf, type Tree } from './parse-tree.ts'

/** A text that a query writes out, of literals and parameters: its length is known before the query is run. */
export interface WrittenText {
  /** Characters of its literals. */
  length: number
  /** The number of each parameter in it, once for each use. */
  parameters: number[]
}

/** Elements of an array that is written out. */
export const MAX_ELEMENTS = 64
/** Types whose text is no longer than what was cast: a number of a few characters can have the text of 100,000. */
const textTypes: ReadonlySet<string> = new Set(['text', 'varchar'])
/** Functions whose text is no longer than their arguments. */
const shortFunctions: ReadonlySet<string> = new Set(['lower', 'upper', 'chr', 'like_escape', 'similar_to_escape'])

/**
 * The texts of an expression: one, or those of an array's elements, at most MAX_ELEMENTS. Null: the expression has a
 * part that is not written out.
 */
export function writtenTextsOf(node: unknown): WrittenText[] | null {
  const elements = elementsOf(node)
  if (elements === null) {
    const text = textOf(node)
    return text === null ? null : [text]
  }
  if (elements.length > MAX_ELEMENTS) return null
  const texts = elements.map(textOf)
  return texts.every((text) => text !== null) ? texts : null
}

/** Characters that the text has with these values of the parameters. */
export function lengthOf(text: WrittenText, parameters: readonly (string | null)[]): number {
  return text.parameters.reduce((sum, number) => sum + (parameters[number - 1] ?? '').length, text.length)
}

function textOf(node: unknown): WrittenText | null {
  if (!isTree(node)) return null
  if (isTree(node.A_Const)) return literalOf(node.A_Const)
  if (isTree(node.ParamRef)) return { length: 0, parameters: [Number(node.ParamRef.number)] }
  if (isTree(node.TypeCast) && isTree(node.TypeCast.typeName)) {
    const { arg, typeName } = node.TypeCast
    return textTypes.has(namesOf(typeName.names).at(-1) ?? '') ? textOf(arg) : null
  }
  if (isTree(node.A_Expr) && namesOf(node.A_Expr.name)[0] === '||') {
    return joined([node.A_Expr.lexpr, node.A_Expr.rexpr])
  }
  if (isTree(node.FuncCall) && shortFunctions.has(namesOf(node.FuncCall.funcname).at(-1) ?? '')) {
    return joined(node.FuncCall.args)
  }
  return null
}

function joined(nodes: unknown): WrittenText | null {
  if (!Array.isArray(nodes)) return null
  const whole: WrittenText = { length: 0, parameters: [] }
  for (const node of nodes) {
    const part = textOf(node)
    if (part === null) return null
    whole.length += part.length
    whole.parameters.push(...part.parameters)
  }
  return whole
}

/** A whole number and NULL have few characters; a number with an exponent may have many. */
function literalOf({ sval, fval }: Tree): WrittenText | null {
  if (isTree(fval)) return null
  return { length: isTree(sval) && typeof sval.sval === 'string' ? sval.sval.length : 1, parameters: [] }
}
