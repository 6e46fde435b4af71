import {
  admittedFunctions,
  admittedKeywords,
  admittedOperators,
  admittedTypes,
  comparisons,
  containmentOperators,
  equalities,
  MAX_PATTERN_LENGTH,
  patternLengths,
  patternOperators,
  regexOperators,
} from './admitted-names.ts'
import { type AdmittedNode, admittedNodes, type FieldKind, positions } from './admitted-nodes.ts'
import attributeNames from './attribute-names.json' with { type: 'json' }
import { checkSizes } from './estimate.ts'
import { groupingSetsOf } from './grouping-sets.ts'
import { elementsOf, integerOf, isColumn, isFixed, isPlain, isTree, namesOf, type Tree } from './parse-tree.ts'
import { quoted, wordsOf } from './refusal-words.ts'
import { Refused } from './refused.ts'
import { lengthOf, MAX_ELEMENTS, type WrittenText, writtenTextsOf } from './written-texts.ts'

/** Why a query is not run. */
export interface QueryRefusal {
  /** A sentence. */
  message: string
  /** Byte of the text, from 0, that it is about; null: of no place in particular. */
  offset: number | null
}

/** A text that must be short. */
export interface Pattern {
  text: WrittenText
  /** Characters. */
  maxLength: number
}

/** An admitted query, and what its parameters must be. */
export interface AdmittedQuery {
  /** The highest `$n` in it; 0 without parameters. */
  parameterCount: number
  /** Texts that must be short, of which parameters are a part: their length is known when the query is sent. */
  patterns: Pattern[]
}

/** Joins are planned in time that grows with every source of rows, and planning is hard to interrupt. */
const MAX_SOURCES = 20
/** Values of one series whose bounds are written as numbers; other series end at the deadline. */
const MAX_SERIES = 1_000_000n
/** Calls, operators and casts: each may take long over a large value, and none can be interrupted. */
const MAX_OPERATIONS = 200
/** Searches for a pattern: each compares every place of a text with the pattern. */
const MAX_SEARCHES = 32
/** Sets of columns to group by: ordering 4,000 of them takes the planner two minutes, which nothing interrupts. */
const MAX_GROUPING_SETS = 512
/** Characters of a literal that is compared with every element of an array: three hashes. */
const MAX_LIST_LENGTH = 256
/**
 * PostgreSQL takes `t.name` for a call of `name(t)`, or a cast of `t` to `name`, where `t` has no such column. These
 * are common names of columns, and a call of them only reads its argument.
 */
const harmlessAttributes: ReadonlySet<string> = new Set(
  'name area box center circle diameter family height host line money network path point polygon radius width'.split(
    ' ',
  ),
)
const refusedAttributes: ReadonlySet<string> = new Set(
  attributeNames.filter(
    (name) => !harmlessAttributes.has(name) && !admittedFunctions.has(name) && !admittedTypes.has(name),
  ),
)
/** Also of an array of such a type, which PostgreSQL names `_name`, and of a row of a catalog. */
function isRefusedAttribute(name: string): boolean {
  const element = name.startsWith('_') ? name.slice(1) : name
  return refusedAttributes.has(name) || refusedAttributes.has(element) || CATALOG_NAME.test(element)
}

/** Nodes with a list of values that are compared, as in IN and GREATEST. */
const comparedLists: ReadonlySet<AdmittedNode> = new Set(['List', 'A_ArrayExpr', 'RowExpr', 'MinMaxExpr'])
const callable: ReadonlySet<string> = new Set(attributeNames)
/** Interface of a query to the read model: its tables, and nothing of the server. */
const CATALOG_NAME = /^pg_/i

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
  return { parameterCount: walk.parameterCount, patterns: walk.patterns }
}

class Walk {
  parameterCount = 0
  readonly patterns: Pattern[] = []
  /** How often each parameter is used. */
  private readonly uses = new Map<number, number>()
  private sources = 0
  private operations = 0
  private searches = 0
  private groupingSets = 0
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
    if (!('SelectStmt' in statement.stmt))
      this.refuse(
        'Only SELECT is run here (WITH, VALUES and TABLE too); for a plan send the SELECT to /api/sql/explain.',
      )
    this.node(statement.stmt)
    this.patternParameters()
    checkSizes(statement.stmt)
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
    else if (type === 'CaseWhen') this.operation()
    else if (type === 'SelectStmt') this.groups(fields.groupClause)
    else if (comparedLists.has(type)) this.comparisons(Object.values(fields).find(Array.isArray))
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

  private groups(clause: unknown): void {
    if (clause === undefined) return
    this.groupingSets += groupingSetsOf(clause)
    if (this.groupingSets > MAX_GROUPING_SETS) {
      this.refuse(`A query groups by at most ${MAX_GROUPING_SETS} sets of columns, in all its GROUP BY clauses.`)
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
    const maxLength = patternLengths.get(name)
    if (maxLength !== undefined && Array.isArray(args)) this.search(args[1], `What ${name} searches for`, maxLength)
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

  private expression({ kind, name, lexpr, rexpr }: Tree): void {
    this.unqualified(name, 'An operator')
    this.operation()
    const [symbol = ''] = namesOf(name)
    // BETWEEN and DISTINCT FROM have a name of their own instead of a symbol.
    if (!admittedOperators.has(symbol) && !/^[A-Z ]+$/.test(symbol))
      this.refuse(`The operator ${symbol} is not admitted.`)
    if (kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL') this.comparedWithEach(symbol, rexpr)
    if (patternOperators.has(symbol)) this.search(rexpr, 'The pattern of LIKE')
    if (containmentOperators.has(symbol)) this.containment(symbol, lexpr, rexpr)
  }

  /**
   * An operator before ANY or ALL of an array runs once for each element, without a look for cancellation. For an index
   * PostgreSQL sorts the array, and for many rows it hashes a constant one, in time that grows with the square.
   */
  private comparedWithEach(symbol: string, array: unknown): void {
    if (patternOperators.has(symbol)) return
    if (equalities.has(symbol) || regexOperators.has(symbol)) {
      if (isFixed(array) || isColumn(array) || elementsOf(array) !== null) return
      this.refuse(
        `After ${symbol} ANY and ALL take a column, a parameter, a literal or ARRAY[...]: compare with IN (SELECT unnest(...)).`,
      )
    }
    if (!comparisons.has(symbol)) this.refuse(`The operator ${symbol} is not admitted before ANY and ALL.`)
    if (this.isShort(array, MAX_LIST_LENGTH)) return
    this.refuse(`After ${symbol} ANY and ALL take an ARRAY that is written out, of at most ${MAX_ELEMENTS} elements.`)
  }

  /** Compares every element of one side with every element of the other. */
  private containment(symbol: string, left: unknown, right: unknown): void {
    if (this.isShort(right, MAX_LIST_LENGTH) || this.isShort(left, MAX_LIST_LENGTH)) return
    const what = `literals and parameters of together ${MAX_LIST_LENGTH} characters, or an ARRAY of at most ${MAX_ELEMENTS}`
    this.refuse(`One side of ${symbol} must be written out: ${what}.`)
  }

  private subquery(name: unknown): void {
    if (name === undefined) return
    this.unqualified(name, 'An operator')
    const [symbol = ''] = namesOf(name)
    if (!comparisons.has(symbol)) this.refuse(`Before ANY (SELECT ...) only = <> < <= > >= are admitted.`)
  }

  /** A text to search for: compared with every place of another text, without a look for cancellation. */
  private search(node: unknown, what: string, maxLength = MAX_PATTERN_LENGTH): void {
    // A function that takes less.
    if (node === undefined) return
    this.searches += writtenTextsOf(node)?.length ?? 1
    if (this.searches > MAX_SEARCHES) this.refuse(`A query searches for at most ${MAX_SEARCHES} patterns.`)
    if (!this.isShort(node, maxLength)) {
      this.refuse(`${what} must be written out: literals and parameters of together ${maxLength} characters.`)
    }
  }

  /** Whether the texts of an expression are written out and short; parameters have a length when the query is sent. */
  private isShort(node: unknown, maxLength: number): boolean {
    const texts = writtenTextsOf(node)
    if (texts === null || texts.some((text) => lengthOf(text, []) > maxLength)) return false
    for (const text of texts) if (text.parameters.length > 0) this.patterns.push({ text, maxLength })
    return true
  }

  private column(parts: unknown): void {
    if (!Array.isArray(parts) || parts.length < 2) return
    const name = namesOf(parts).at(-1) ?? ''
    // It may be a call of an admitted function.
    if (callable.has(name)) this.operation()
    if (!isRefusedAttribute(name)) return
    this.refuse(
      `${quoted(name)} is also a function or a type of PostgreSQL, which t.name would call: name the column otherwise.`,
    )
  }

  private operation(): void {
    this.operations += 1
    if (this.operations > MAX_OPERATIONS) {
      this.refuse(`A query has at most ${MAX_OPERATIONS} calls, operators, casts and compared values.`)
    }
  }

  /** Each element but a literal can be large, and the time of comparing it follows from its size. */
  private comparisons(elements: unknown[] = []): void {
    for (const element of elements) if (!isTree(element) || !('A_Const' in element)) this.operation()
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

  private commonTable({ ctequery, ctematerialized }: Tree): void {
    if (!isTree(ctequery) || !('SelectStmt' in ctequery)) this.refuse('A WITH query must be a SELECT.')
    // Each reference would stand for the whole query: ten that name the one before twice would read 1,024 tables.
    if (ctematerialized === 'CTEMaterializeNever') this.refuse('NOT MATERIALIZED is not admitted: leave it out.')
  }

  private parameter(number: unknown): void {
    if (typeof number !== 'number') this.refuse('A parameter is written $1, $2 and so on.')
    else {
      this.parameterCount = Math.max(this.parameterCount, number)
      this.uses.set(number, (this.uses.get(number) ?? 0) + 1)
    }
  }

  /** PostgreSQL takes the type of a parameter from its first use: as a number, a few characters become 100,000. */
  private patternParameters(): void {
    const inPatterns = new Map<number, number>()
    for (const number of this.patterns.flatMap(({ text }) => text.parameters)) {
      inPatterns.set(number, (inPatterns.get(number) ?? 0) + 1)
    }
    for (const [number, count] of inPatterns) {
      if (count === this.uses.get(number)) continue
      this.refuse(
        `$${number} is part of a pattern, so it can be nothing else: give the other uses a parameter of their own.`,
      )
    }
  }

  private refuse(message: string, fields?: unknown): never {
    const own = isTree(fields) && typeof fields.location === 'number' ? fields.location : null
    throw new Refused(message, own ?? this.offset)
  }
}
