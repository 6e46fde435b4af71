/** A node of solc's syntax tree; the fields depend on its type. */
interface Node {
  nodeType: string
  /** Byte range of the node, as `start:length:file`. */
  src: string
  [field: string]: unknown
}

export interface SolidityMutant {
  /** Position of the first replaced byte in the source. `length` is the number of replaced bytes. */
  start: number
  length: number
  replacement: string
}

/**
 * The operators that replace each operator. For a comparison, the first one moves the bound, and the second one turns
 * the direction.
 */
const operators: Record<string, string[]> = {
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '**': ['*'],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '<<': ['>>'],
  '>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '|=': ['&='],
  '&=': ['|='],
  '++': ['--'],
  '--': ['++'],
}
const statements = ['ExpressionStatement', 'RevertStatement', 'EmitStatement']

/**
 * Lists the mutants of one source. They change operators, constants, conditions or modifiers, delete statements, or
 * swap arguments.
 */
export function listSolidityMutants(tree: unknown, source: Buffer): SolidityMutant[] {
  const mutants: SolidityMutant[] = []
  const textOf = (node: Node) => source.toString('utf8', ...boundsOf(node))
  const replace = (node: Node, replacement: string) => {
    const [start, end] = boundsOf(node)
    mutants.push({ start, length: end - start, replacement })
  }
  /**
   * Replaces the operator of a node. `from` and `to` are the range that contains the operator: between its operands, or
   * at one end of the node.
   */
  const replaceOperator = (node: Node, from: number, to: number) => {
    const operator = String(node.operator)
    const start = source.indexOf(operator, from)
    if (start < 0 || start >= to) return
    for (const replacement of operators[operator] ?? []) mutants.push({ start, length: operator.length, replacement })
  }
  const mutate = (node: Node) => {
    const [start, end] = boundsOf(node)
    if (statements.includes(node.nodeType)) removeStatement(node)
    if (node.nodeType === 'BinaryOperation') replaceOperator(node, boundsOf(childOf(node, 'leftExpression'))[1], end)
    if (node.nodeType === 'Assignment') replaceOperator(node, boundsOf(childOf(node, 'leftHandSide'))[1], end)
    if (node.nodeType === 'UnaryOperation') {
      if (node.operator === '!') replace(node, textOf(childOf(node, 'subExpression')))
      else replaceOperator(node, start, end)
    }
    if (node.nodeType === 'Literal') {
      const text = textOf(node)
      if (node.kind === 'bool') replace(node, text === 'true' ? 'false' : 'true')
      const digits = node.kind === 'number' ? /^[\d_]+/.exec(text)?.[0] : undefined
      if (digits !== undefined) replace(node, `${BigInt(digits.replaceAll('_', '')) + 1n}${text.slice(digits.length)}`)
    }
    if (node.nodeType === 'IfStatement' || node.nodeType === 'Conditional') {
      const condition = childOf(node, 'condition')
      if (!['BinaryOperation', 'UnaryOperation'].includes(condition.nodeType))
        replace(condition, `!(${textOf(condition)})`)
    }
    if (node.nodeType === 'FunctionCall') swapArguments(node.arguments as Node[])
    if (node.nodeType === 'ModifierInvocation' && node.kind === 'modifierInvocation') replace(node, '')
  }
  /**
   * Replaces a statement by `{}`, because a body must not be empty. The node's own range does not include the
   * semicolon.
   */
  const removeStatement = (node: Node) => {
    const [start, end] = boundsOf(node)
    const semicolon = source.indexOf(';', end - 1)
    mutants.push({ start, length: semicolon + 1 - start, replacement: '{}' })
  }
  /** Swaps the first two neighbouring arguments that have the same type. */
  const swapArguments = (list: Node[]) => {
    const typeOf = (node: Node | undefined) => (node?.typeDescriptions as { typeString?: string })?.typeString
    const index = list.findIndex((node, at) => at + 1 < list.length && typeOf(node) === typeOf(list[at + 1]))
    const [first, second] = [list[index], list[index + 1]]
    if (first === undefined || second === undefined || textOf(first) === textOf(second)) return
    const [start, end] = [boundsOf(first)[0], boundsOf(second)[1]]
    const between = source.toString('utf8', boundsOf(first)[1], boundsOf(second)[0])
    mutants.push({ start, length: end - start, replacement: `${textOf(second)}${between}${textOf(first)}` })
  }
  visit(tree, mutate)
  return mutants
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) onNode(value)
  for (const child of Object.values(value)) visit(child, onNode)
}

function isNode(value: object): value is Node {
  return 'nodeType' in value && 'src' in value
}

function childOf(node: Node, field: string): Node {
  return node[field] as Node
}

/** Returns the positions of the first byte of a node and of the byte after it. */
function boundsOf({ src }: Node): [number, number] {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return [start, start + length]
}
