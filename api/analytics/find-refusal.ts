import {
  admittedFunctions,
  admittedKeywords,
  admittedOperators,
  admittedTypes,
  comparisons,
  containmentOperators,
  patternArguments,
  patternOperators,
} from './admitted-names.ts'
import { type AdmittedNode, admittedNodes, type FieldKind, positions } from './admitted-nodes.ts'
import attributeNames from './attribute-names.json' with { type: 'json' }

/** Why a query is not run. */
export interface QueryRefusal {
  /** A sentence. */
  message: string
  /** Byte of the text, from 0, that it is about; null: of no place in particular. */
  offset: number | null
}

/** What a parse tree needs beside rows. */
export interface AdmittedQuery {
  /** The highest `$n` in it; 0 without parameters. */
  parameterCount: number
  /** Parameters that are patterns to search for: at most `MAX_PATTERN_LENGTH` characters each. */
  patternParameters: number[]
}

/** Joins are planned in time that grows with every source of rows, and planning is hard to interrupt. */
const MAX_SOURCES = 20
/** Values of one series whose bounds are written as numbers; other series end at the deadline. */
const MAX_SERIES = 1_000_000n
/** Calls, operators and casts: each may take long over a large value, and none can be interrupted. */
const MAX_OPERATIONS = 200
/** Elements of an array that is written out to compare with. */
const MAX_ELEMENTS = 64
/** Characters of a pattern that is searched for. */
export const MAX_PATTERN_LENGTH = 256
/**
 * PostgreSQL takes `t.name` for a call of `name(t)`, or a cast of `t` to `name`, where `t` has no such column. `name` itself
 * is a type, and a common name of columns; the cast shortens a text.
 */
const refusedAttributes: ReadonlySet<string> = new Set(
  attributeNames.filter((name) => name !== 'name' && !admittedFunctions.has(name) && !admittedTypes.has(name)),
)
/** Types whose text is no longer than what was cast. */
const textTypes: ReadonlySet<string> = new Set(['text', 'varchar', 'jsonb', 'json'])
/** Functions whose text is no longer than their arguments. */
const shortFunctions: ReadonlySet<string> = new Set(['lower', 'upper', 'chr', 'like_escape', 'similar_to_escape'])
const callable: ReadonlySet<string> = new Set(attributeNames)
/** Interface of a query to the read model: its tables, and nothing of the server. */
const CATALOG_NAME = /^pg_/i

/** A node as the parser writes it: one key, its type. A missing node is an empty object. */
type Tree = Record<string, unknown>

/**
 * Walks the whole tree of `libpg-query` against the lists of what is admitted.
 * @param stmts `stmts` of the parse result
 * @param schema the one schema whose relations may be read
 */
export function findRefusal(stmts: unknown, schema: string): QueryRefusal | AdmittedQuery {
  const walk = new Walk(schema)
  try {
    walk.statements(stmts)
  } catch (error) {
    if (error instanceof Refused) return { message: error.message, offset: error.offset }
    throw error
  }
  return { parameterCount: walk.parameterCount, patternParameters: [...walk.patternParameters] }
}

class Refused extends Error {
  readonly offset: number | null
  constructor(message: string, offset: number | null) {
    super(message)
    this.offset = offset
  }
}

class Walk {
  parameterCount = 0
  readonly patternParameters = new Set<number>()
  private sources = 0
  private operations = 0
  /** The nearest position seen: a refused node may have none of its own. */
  private offset: number | null = null
  private readonly schema: string

  constructor(schema: string) {
    this.schema = schema
  }

  statements(stmts: unknown): void {
    if (!Array.isArray(stmts) || stmts.length !== 1) this.refuse('Send one statement.')
    const [statement] = stmts
    if (!isTree(statement) || !isTree(statement.stmt)) this.refuse('Send one SELECT.')
    if (!('SelectStmt' in statement.stmt)) this.refuse('Only SELECT is run here (WITH ... SELECT too).')
    this.node(statement.stmt)
  }

  private node(tree: unknown): void {
    if (!isTree(tree)) this.refuse('This query has a part that is not admitted.')
    const entries = Object.entries(tree)
    // An absent expression in a list, such as DISTINCT without ON.
    if (entries.length === 0) return
    const [entry] = entries
    if (entries.length !== 1 || entry === undefined) this.refuse('This query has a part that is not admitted.')
    const [type, fields] = entry
    if (!Object.hasOwn(admittedNodes, type)) this.refuse(`${wordsOf(type)} is not admitted.`, fields)
    this.typed(type as AdmittedNode, fields)
  }

  private typed(type: AdmittedNode, fields: unknown): void {
    if (!isTree(fields)) this.refuse(`${wordsOf(type)} is not admitted in this form.`)
    if (typeof fields.location === 'number') this.offset = fields.location
    this.check(type, fields)
    const admitted: Record<string, FieldKind> = admittedNodes[type]
    for (const [name, value] of Object.entries(fields)) {
      if (positions.has(name)) continue
      const kind = Object.hasOwn(admitted, name) ? admitted[name] : undefined
      if (kind === undefined) this.refuse(`${wordsOf(type)} with ${wordsOf(name)} is not admitted.`)
      else this.field(kind, value)
    }
  }

  private field(kind: FieldKind, value: unknown): void {
    if (kind === 'value') {
      if (!isPlain(value)) this.refuse('This query has a part that is not admitted.')
    } else if (kind === 'node') this.node(value)
    else if (kind === 'nodes') {
      if (!Array.isArray(value)) this.refuse('This query has a part that is not admitted.')
      for (const each of value) this.node(each)
    } else this.typed(kind, value)
  }

  /** What the lists of nodes and fields do not say. */
  private check(type: AdmittedNode, fields: Tree): void {
    if (type === 'RangeVar') this.relation(fields)
    else if (type === 'RangeSubselect') this.source()
    else if (type === 'RangeFunction') this.source()
    else if (type === 'FuncCall') this.call(fields)
    else if (type === 'TypeName') this.type(fields)
    else if (type === 'A_Expr') this.expression(fields)
    else if (type === 'ColumnRef') this.column(fields.fields)
    else if (type === 'SubLink') this.subquery(fields.operName)
    else if (type === 'CollateClause') this.unqualified(fields.collname, 'A collation')
    else if (type === 'SQLValueFunction') this.keyword(fields.op)
    else if (type === 'A_Indirection') this.indirection(fields.indirection)
    else if (type === 'CommonTableExpr') this.commonTable(fields)
    else if (type === 'ParamRef') this.parameter(fields.number)
  }

  private relation({ schemaname, relname }: Tree): void {
    this.source()
    if (schemaname !== undefined && schemaname !== this.schema) {
      this.refuse(`Only tables of ${this.schema} can be read; docs/tables.md lists them.`)
    }
    // Unqualified, such a name would be found in pg_catalog before any other schema.
    if (typeof relname !== 'string' || CATALOG_NAME.test(relname)) {
      this.refuse(`Only tables of ${this.schema} can be read; docs/tables.md lists them.`)
    }
  }

  private source(): void {
    this.sources += 1
    if (this.sources > MAX_SOURCES) {
      this.refuse(`A query reads at most ${MAX_SOURCES} tables, subqueries and functions in all its FROM clauses.`)
    }
  }

  private call({ funcname, args }: Tree): void {
    const names = namesOf(funcname)
    const name = names.at(-1) ?? ''
    if (names.length > 1 && names[0] !== 'pg_catalog') this.refuse(`The function ${quoted(name)} is not admitted.`)
    if (names.length > 2 || !admittedFunctions.has(name)) {
      this.refuse(`The function ${quoted(name)} is not admitted; docs/analytics.md lists those that are.`)
    }
    this.operation()
    const place = patternArguments.get(name)
    if (place !== undefined && Array.isArray(args)) this.pattern(args[place], `What ${name} searches for`)
    if (name === 'generate_series') this.series(args)
  }

  private series(args: unknown): void {
    const [first, last, step] = Array.isArray(args) ? args.map(integerOf) : []
    if (first === undefined || first === null || last === undefined || last === null) return
    const stride = step === undefined || step === null || step === 0n ? 1n : step < 0n ? -step : step
    const length = (last > first ? last - first : first - last) / stride + 1n
    if (length > MAX_SERIES) this.refuse(`generate_series makes at most ${MAX_SERIES} values here.`)
  }

  private type({ names }: Tree): void {
    const parts = namesOf(names)
    const name = parts.at(-1) ?? ''
    const isQualified = parts.length === 2 && parts[0] === 'pg_catalog'
    this.operation()
    if ((parts.length !== 1 && !isQualified) || !admittedTypes.has(name)) {
      this.refuse(`A cast to ${quoted(name)} is not admitted.`)
    }
  }

  private expression({ name, lexpr, rexpr }: Tree): void {
    this.unqualified(name, 'An operator')
    this.operation()
    const [symbol = ''] = namesOf(name)
    // BETWEEN and DISTINCT FROM have a name of their own instead of a symbol.
    if (!admittedOperators.has(symbol) && !/^[A-Z ]+$/.test(symbol))
      this.refuse(`The operator ${symbol} is not admitted.`)
    if (patternOperators.has(symbol)) this.pattern(rexpr, 'The pattern of LIKE')
    if (containmentOperators.has(symbol) && this.lengthOf(lexpr) === null && this.lengthOf(rexpr) === null) {
      this.refuse(
        `One side of ${symbol} must be written out: literals and parameters of together ${MAX_PATTERN_LENGTH} characters, or an ARRAY of at most ${MAX_ELEMENTS}.`,
      )
    }
  }

  private subquery(name: unknown): void {
    if (name === undefined) return
    this.unqualified(name, 'An operator')
    const [symbol = ''] = namesOf(name)
    if (!comparisons.has(symbol)) this.refuse(`Before ANY (SELECT ...) only = <> < <= > >= are admitted.`)
  }

  private pattern(node: unknown, what: string): void {
    // A function that takes less.
    if (node === undefined) return
    if (this.lengthOf(node) === null) {
      this.refuse(`${what} must be written out: literals and parameters of together ${MAX_PATTERN_LENGTH} characters.`)
    }
  }

  /** Characters of a text that is made of literals, parameters and little else; null: of anything else, or too many. */
  private lengthOf(node: unknown): number | null {
    const length = this.lengthOfParts(node)
    return length !== null && length <= MAX_PATTERN_LENGTH ? length : null
  }

  private lengthOfParts(node: unknown): number | null {
    if (!isTree(node)) return null
    if (isTree(node.A_Const)) return lengthOfLiteral(node.A_Const)
    if (isTree(node.ParamRef) && typeof node.ParamRef.number === 'number') {
      this.patternParameters.add(node.ParamRef.number)
      return 1
    }
    if (isTree(node.TypeCast) && isTree(node.TypeCast.typeName)) {
      const { arg, typeName } = node.TypeCast
      // A number of a few characters can have the text of a hundred thousand.
      return textTypes.has(namesOf(typeName.names).at(-1) ?? '') ? this.lengthOfParts(arg) : null
    }
    if (isTree(node.A_Expr) && namesOf(node.A_Expr.name)[0] === '||') {
      return this.sumOf([node.A_Expr.lexpr, node.A_Expr.rexpr])
    }
    if (isTree(node.FuncCall) && shortFunctions.has(namesOf(node.FuncCall.funcname).at(-1) ?? '')) {
      return this.sumOf(node.FuncCall.args)
    }
    if (isTree(node.A_ArrayExpr)) {
      const { elements = [] } = node.A_ArrayExpr
      if (!Array.isArray(elements) || elements.length > MAX_ELEMENTS) return null
      // Each element is a pattern of its own.
      return elements.every((element) => this.lengthOf(element) !== null) ? 1 : null
    }
    return null
  }

  private sumOf(nodes: unknown): number | null {
    if (!Array.isArray(nodes)) return null
    let sum = 0
    for (const each of nodes) {
      const length = this.lengthOfParts(each)
      if (length === null) return null
      sum += length
    }
    return sum
  }

  private column(parts: unknown): void {
    if (!Array.isArray(parts) || parts.length < 2) return
    const name = namesOf(parts).at(-1) ?? ''
    // It may be a call of an admitted function.
    if (callable.has(name)) this.operation()
    if (!refusedAttributes.has(name)) return
    this.refuse(
      `${quoted(name)} is also a function or a type of PostgreSQL, which t.name would call: name the column otherwise.`,
    )
  }

  private operation(): void {
    this.operations += 1
    if (this.operations > MAX_OPERATIONS) {
      this.refuse(`A query has at most ${MAX_OPERATIONS} calls, operators and casts.`)
    }
  }

  private unqualified(name: unknown, what: string): void {
    if (namesOf(name).length > 1) this.refuse(`${what} is written without its schema here.`)
  }

  private keyword(op: unknown): void {
    if (typeof op !== 'string' || !admittedKeywords.has(op)) {
      this.refuse(`${String(op).replace('SVFOP_', '')} is not admitted: it is about the session.`)
    }
  }

  /** `(value).name` calls the function `name` as well as it reads a field, so no list of functions would hold. */
  private indirection(steps: unknown): void {
    const isSubscripts = Array.isArray(steps) && steps.every((step) => isTree(step) && 'A_Indices' in step)
    if (!isSubscripts)
      this.refuse('(value).name is not admitted: name the field in FROM, as in `FROM f(...) AS t (name)`.')
  }

  private commonTable({ ctequery }: Tree): void {
    if (!isTree(ctequery) || !('SelectStmt' in ctequery)) this.refuse('A WITH query must be a SELECT.')
  }

  private parameter(number: unknown): void {
    if (typeof number !== 'number') this.refuse('A parameter is written $1, $2 and so on.')
    else this.parameterCount = Math.max(this.parameterCount, number)
  }

  private refuse(message: string, fields?: unknown): never {
    const own = isTree(fields) && typeof fields.location === 'number' ? fields.location : null
    throw new Refused(message, own ?? this.offset)
  }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A scalar, or one wrapped in its kind: `{"ival": 1}`. */
function isPlain(value: unknown): boolean {
  if (!isTree(value)) return !Array.isArray(value)
  return Object.values(value).every((each) => typeof each !== 'object' || each === null)
}

/** The parts of a qualified name, lower case as PostgreSQL folded them. */
function namesOf(list: unknown): string[] {
  if (!Array.isArray(list)) return ['']
  return list.map((node) => {
    const string = isTree(node) ? node.String : undefined
    return isTree(string) && typeof string.sval === 'string' ? string.sval : ''
  })
}

/** Characters of a literal; a number and NULL have few. */
function lengthOfLiteral({ sval, fval }: Tree): number | null {
  if (isTree(fval)) return null
  return isTree(sval) && typeof sval.sval === 'string' ? sval.sval.length : 1
}

/** The value of a whole number that is written out, or null. */
function integerOf(node: unknown): bigint | null {
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

/** What SQL calls a part that a query may well have; other parts are told by the parser's name. */
const sqlWords: Readonly<Record<string, string>> = {
  RangeVar: 'A table',
  RangeTableSample: 'TABLESAMPLE',
  RangeTableFunc: 'XMLTABLE',
  JsonTable: 'JSON_TABLE',
  XmlExpr: 'XML',
  XmlSerialize: 'XML',
  intoClause: 'INTO',
  lockingClause: 'FOR UPDATE or FOR SHARE',
  catalogname: 'the name of a database',
  useOp: 'USING',
  coldeflist: 'a list of column types',
}

/** A name of the parser in words: `InsertStmt` is `INSERT`, `JsonObjectAgg` is `json object agg`. */
function wordsOf(name: string): string {
  const known = Object.hasOwn(sqlWords, name) ? sqlWords[name] : undefined
  if (known !== undefined) return known
  if (name.endsWith('Stmt')) return spaced(name.slice(0, -4)).toUpperCase()
  return spaced(name).toLowerCase()
}

function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' ')
}

/** A name that the client chose, short and without characters that a terminal acts on. */
function quoted(name: string): string {
  return `"${name.replace(/[^\w.-]/g, '?').slice(0, 63)}"`
}
