import { containmentOperators, MAX_PATTERN_LENGTH, patternLengths, patternOperators } from './admitted-names.ts'
import { documentsOf, workOfCall } from './call-work.ts'
import {
  arithmeticOperators,
  documentOperators,
  expansionOf,
  growing,
  longTypes,
  measuring,
  replacing,
  selecting,
} from './growth.ts'
import { elementsOf, isFixed, isTree, listOf, namesOf, type Tree } from './parse-tree.ts'
import { Refused } from './refused.ts'
import { aliased, columnNameOf, columnSize, type Scope, sourcesNamed, starOf } from './scopes.ts'
import {
  asBarrier,
  type Columns,
  largestOf,
  NUMBER_BYTES,
  quotedOf,
  renamed,
  rowOf,
  type Size,
  type Source,
  sumOf,
  TABLE_COLUMN,
  timesOf,
  UNBOUNDED,
  unionOf,
  workOn,
} from './sizes.ts'
import { writtenTextsOf } from './written-texts.ts'

/**
 * Bytes of texts times characters of the patterns that are searched for in them, in one query: about five seconds of
 * comparing, which PostgreSQL cannot interrupt.
 */
const MAX_COMPARED = 2 ** 30
/** Nodes of one expression after planning, whose time grows with their square. */
const MAX_NODES = 20_000
/** Work on one row, or on constants while the query is planned, without a look for cancellation: about a minute. */
const MAX_WORK = 2 ** 31
/** Comparisons of a search in the time of the work on one byte. */
const COMPARED_PER_WORK = 8

const NOTHING: Size = { bytes: 0, nodes: 1, work: 0, documents: 0 }

type CommonTables = ReadonlyMap<string, Columns>

/**
 * Bounds what the parts of a query can hold, from the leaves up, and refuses what PostgreSQL would work on for long
 * without a look for cancellation: searches in long texts, and expressions that double with every subquery.
 * @param statement a SelectStmt that the lists of nodes admit
 * @throws Refused
 */
export function checkSizes(statement: unknown): void {
  new Estimate().select(statement, new Map(), null)
}

class Estimate {
  private compared = 0
  private work = 0
  private offset: number | null = null

  select(node: unknown, tables: CommonTables, outer: Scope | null): Columns {
    const statement = isTree(node) && isTree(node.SelectStmt) ? node.SelectStmt : node
    if (!isTree(statement)) return { list: [], rest: UNBOUNDED }
    const known = this.commonTables(statement.withClause, tables, outer)
    if (isTree(statement.larg) && isTree(statement.rarg)) {
      const columns = unionOf(this.select(statement.larg, known, outer), this.select(statement.rarg, known, outer))
      this.values([statement.sortClause, statement.limitCount, statement.limitOffset], known, {
        sources: [{ name: '', columns }],
        outer,
      })
      return columns
    }
    if (Array.isArray(statement.valuesLists)) return this.valuesList(statement.valuesLists, known, outer)
    const sources: Source[] = []
    // What a join or LATERAL refers to stands to its left.
    const scope = { sources, outer }
    for (const each of listOf(statement.fromClause)) sources.push(...this.source(each, known, scope))
    const columns = this.targets(listOf(statement.targetList), known, scope)
    const { whereClause, groupClause, havingClause, windowClause, sortClause, limitCount, limitOffset } = statement
    const { distinctClause } = statement
    const clauses = this.values(
      [whereClause, groupClause, havingClause, windowClause, sortClause, limitCount, limitOffset, distinctClause],
      known,
      scope,
    )
    this.countWork([...columns.list.map(({ size }) => size), clauses])
    // Into what groups its rows PostgreSQL puts the conditions of the query around it.
    return limitCount === undefined && limitOffset === undefined ? columns : asBarrier(columns)
  }

  private commonTables(clause: unknown, tables: CommonTables, outer: Scope | null): CommonTables {
    if (!isTree(clause)) return tables
    const known = new Map(tables)
    const tablesOf = listOf(clause.ctes).flatMap((cte) =>
      isTree(cte) && isTree(cte.CommonTableExpr) ? [cte.CommonTableExpr] : [],
    )
    // A row of a recursive query is made of the row before: any of its columns may grow.
    if (clause.recursive === true) {
      for (const { ctename } of tablesOf) known.set(String(ctename), { list: [], rest: UNBOUNDED })
    }
    for (const { ctename, ctequery, aliascolnames, ctematerialized } of tablesOf) {
      const columns = renamed(this.select(ctequery, known, outer), namesOf(aliascolnames ?? []))
      known.set(String(ctename), ctematerialized === 'CTEMaterializeAlways' ? asBarrier(columns) : columns)
    }
    return known
  }

  private valuesList(rows: readonly unknown[], tables: CommonTables, outer: Scope | null): Columns {
    const scope = { sources: [], outer }
    const sizes = rows.map((row) => itemsOf(row).map((item) => this.value(item, tables, scope)))
    for (const row of sizes) this.countWork(row)
    const width = Math.max(0, ...sizes.map((row) => row.length))
    const list = Array.from({ length: width }, (_, index) => ({
      name: `column${index + 1}`,
      size: largestOf(sizes.flatMap((row) => row[index] ?? [])),
    }))
    return { list, rest: null }
  }

  private targets(targets: readonly unknown[], tables: CommonTables, scope: Scope): Columns {
    const list: { name: string; size: Size }[] = []
    let rest: Size | null = null
    for (const target of targets) {
      const { name, val } = isTree(target) && isTree(target.ResTarget) ? target.ResTarget : { name: '', val: target }
      const starred = starOf(val)
      if (starred === null) {
        list.push({ name: typeof name === 'string' ? name : columnNameOf(val), size: this.value(val, tables, scope) })
        continue
      }
      for (const source of sourcesNamed(scope, starred)) {
        list.push(...source.columns.list)
        if (source.columns.rest !== null)
          rest = largestOf(rest === null ? [source.columns.rest] : [rest, source.columns.rest])
      }
    }
    return { list, rest }
  }

  private source(node: unknown, tables: CommonTables, scope: Scope): Source[] {
    if (!isTree(node)) return []
    const { RangeVar, RangeSubselect, RangeFunction, JoinExpr } = node
    if (isTree(RangeVar)) {
      const { schemaname, relname } = RangeVar
      const table = schemaname === undefined ? tables.get(String(relname)) : undefined
      return [aliased(RangeVar, String(relname), table ?? { list: [], rest: TABLE_COLUMN })]
    }
    if (isTree(RangeSubselect)) {
      // A subquery sees what stands to its left only with LATERAL; counting it always bounds both.
      return [aliased(RangeSubselect, '', this.select(RangeSubselect.subquery, tables, scope))]
    }
    if (isTree(RangeFunction)) {
      const rest = this.values(RangeFunction.functions, tables, scope)
      this.countWork([rest])
      // The functions are called once for all references to their columns.
      return [aliased(RangeFunction, '', { list: [], rest: { ...rest, work: 0 } })]
    }
    if (!isTree(JoinExpr)) return [{ name: '', columns: { list: [], rest: UNBOUNDED } }]
    const left = this.source(JoinExpr.larg, tables, scope)
    const right = this.source(JoinExpr.rarg, tables, { sources: [...scope.sources, ...left], outer: scope.outer })
    const both = [...left, ...right]
    const condition = this.values(JoinExpr.quals, tables, { sources: [...scope.sources, ...both], outer: scope.outer })
    this.countWork([condition])
    const whole: Columns = {
      list: both.flatMap(({ columns }) => columns.list),
      rest: both.reduce<Size | null>((rest, { columns }) => maxRest(rest, columns.rest), null),
    }
    return isTree(JoinExpr.alias) ? [aliased(JoinExpr, '', whole)] : both
  }

  /** The size of an expression; every search inside of it is counted. */
  private value(node: unknown, tables: CommonTables, scope: Scope): Size {
    const size = this.expression(node, tables, scope)
    if (size.nodes > MAX_NODES) {
      throw new Refused(
        'The query repeats columns of its subqueries too often: each stands for its whole expression; use fewer levels.',
        this.offset,
      )
    }
    return size
  }

  private values(node: unknown, tables: CommonTables, scope: Scope): Size {
    if (Array.isArray(node)) return sumOf(node.map((each) => this.values(each, tables, scope)))
    return node === undefined ? NOTHING : this.value(node, tables, scope)
  }

  private expression(node: unknown, tables: CommonTables, scope: Scope): Size {
    if (!isTree(node)) return NOTHING
    const [[type, fields] = ['', {}]] = Object.entries(node)
    if (!isTree(fields)) return NOTHING
    if (typeof fields.location === 'number') this.offset = fields.location
    const inside = (part: unknown) => this.values(part, tables, scope)
    switch (type) {
      case 'A_Const':
        return { ...NOTHING, bytes: constantBytes(fields) }
      case 'ParamRef':
        return { ...NOTHING, bytes: NUMBER_BYTES }
      case 'ColumnRef':
        return columnSize(fields, scope)
      case 'TypeCast':
        return this.cast(fields, inside)
      case 'FuncCall':
        return this.call(fields, inside)
      case 'A_Expr':
        return this.operator(fields, inside)
      case 'SubLink': {
        const test = inside(fields.testexpr)
        const row = rowOf(this.select(fields.subselect, tables, scope))
        const isArray = fields.subLinkType === 'ARRAY_SUBLINK'
        return {
          bytes: test.bytes + (isArray ? UNBOUNDED.bytes : row.bytes),
          nodes: test.nodes + 1,
          work: test.work + workOn(test.bytes),
          documents: documentsOf(isArray ? 'array_agg' : 'any_value', row),
        }
      }
      case 'RowExpr':
        return quotedOf(inside(fields.args))
      case 'A_ArrayExpr':
        return quotedOf(inside(fields.elements))
      case 'A_Indirection': {
        const size = inside([fields.arg, fields.indirection])
        return {
          ...size,
          bytes: elementOfAggregate(fields, inside) ?? size.bytes,
          work: size.work + workOn(size.bytes),
        }
      }
      default:
        return sumOf(Object.values(fields).map((part) => (typeof part === 'object' ? inside(part) : sumOf([]))))
    }
  }

  private cast({ arg, typeName }: Tree, inside: (part: unknown) => Size): Size {
    const size = inside(arg)
    const { names, arrayBounds } = isTree(typeName) ? typeName : {}
    const element = namesOf(names).at(-1) ?? ''
    const isArray = arrayBounds !== undefined
    const type = isArray ? `${element}[]` : element
    const isLong = isArray || longTypes.has(type)
    return {
      bytes: isLong ? Math.max(size.bytes * expansionOf(type), NUMBER_BYTES) : NUMBER_BYTES,
      nodes: size.nodes + 1,
      work: size.work + workOn(size.bytes) + workOfCall(type, [size]),
      documents: documentsOf(type, size),
    }
  }

  private call({ funcname, args, agg_order, agg_filter, over }: Tree, inside: (part: unknown) => Size): Size {
    const name = namesOf(funcname).at(-1) ?? ''
    const sizes = listOf(args).map(inside)
    const whole = sumOf([...sizes, inside(agg_order), inside(agg_filter), inside(isTree(over) ? { over } : undefined)])
    const maxLength = patternLengths.get(name)
    const searched =
      maxLength === undefined ? 0 : this.search(sizes[0], { pattern: listOf(args)[1], maxLength, what: name })
    // What has a window or groups rows is not pulled up, but which call does that the tree does not say.
    const { nodes } = whole
    const work = whole.work + workOn(whole.bytes) + searched + workOfCall(name, sizes)
    return { bytes: valueBytes(name, whole, sizes), nodes, work, documents: documentsOf(name, whole) }
  }

  private operator({ kind, name, lexpr, rexpr }: Tree, inside: (part: unknown) => Size): Size {
    const [symbol = ''] = namesOf(name)
    const copies = copiesOf({ kind, lexpr, rexpr })
    const [left, right] = [timesOf(inside(lexpr), copies.left), timesOf(inside(rexpr), copies.right)]
    const whole = sumOf([left, right])
    let work = whole.work + copies.left * workOn(arithmeticOperators.has(symbol) ? NUMBER_BYTES : whole.bytes)
    // An element of ARRAY[...] may be an array too.
    const arrays = isEach(kind) && !isFixed(rexpr) ? (elementsOf(rexpr) ?? [rexpr]) : []
    if (arrays.some((array) => inside(array).bytes > TABLE_COLUMN.bytes)) {
      this.refuse('ANY and ALL take no array that a subquery makes: compare with IN (SELECT unnest(...)).')
    }
    if (patternOperators.has(symbol)) {
      work += this.search(left, { pattern: rexpr, maxLength: MAX_PATTERN_LENGTH, what: 'LIKE' })
    }
    if (containmentOperators.has(symbol)) {
      const [written, other] = writtenTextsOf(rexpr) === null ? [lexpr, right] : [rexpr, left]
      work += this.search(other, { pattern: written, maxLength: MAX_PATTERN_LENGTH, what: symbol })
    }
    // Of these operands alone the value may be a document.
    const documents = documentOperators.has(symbol) || kind === 'AEXPR_NULLIF' ? whole.documents : 0
    return { bytes: resultBytes(symbol, kind, whole.bytes), nodes: whole.nodes, work, documents }
  }

  /** Each place of a text is compared with the pattern: as how much work. */
  private search(
    subject: Size | undefined,
    { pattern, maxLength, what }: { pattern: unknown; maxLength: number; what: string },
  ): number {
    if (subject === undefined || pattern === undefined) return 0
    const texts = writtenTextsOf(pattern) ?? []
    const characters = texts.reduce(
      (sum, { length, parameters }) => sum + (parameters.length > 0 ? maxLength : length),
      0,
    )
    const compared = subject.bytes * Math.max(1, characters)
    this.compared += compared
    if (this.compared <= MAX_COMPARED) return compared / COMPARED_PER_WORK
    this.refuse(
      `What ${what} searches may be too long for its patterns: search columns of tables, before string_agg, array_agg, replace or the like make longer values of them, and with fewer or shorter patterns.`,
    )
  }

  private countWork(sizes: readonly Size[]): void {
    this.work += sumOf(sizes).work
    if (this.work <= MAX_WORK) return
    this.refuse(
      'The query may work on long values too often: with fewer calls, operators and casts of what was put together of many rows, and fewer references to columns of subqueries, which each stand for their whole expression.',
    )
  }

  private refuse(message: string): never {
    throw new Refused(message, this.offset)
  }
}

function isEach(kind: unknown): boolean {
  return kind === 'AEXPR_OP_ANY' || kind === 'AEXPR_OP_ALL'
}

/** How often PostgreSQL writes out each side of an operator: BETWEEN and IN stand for several comparisons. */
function copiesOf({ kind, lexpr, rexpr }: Tree): { left: number; right: number } {
  if (kind === 'AEXPR_BETWEEN' || kind === 'AEXPR_NOT_BETWEEN') return { left: 2, right: 1 }
  if (kind === 'AEXPR_BETWEEN_SYM' || kind === 'AEXPR_NOT_BETWEEN_SYM') return { left: 4, right: 2 }
  if (kind !== 'AEXPR_IN') return { left: 1, right: 1 }
  // Literals and parameters become one array, unless rows are compared.
  const compared =
    isTree(lexpr) && 'RowExpr' in lexpr ? itemsOf(rexpr) : itemsOf(rexpr).filter((item) => !isFixed(item))
  return { left: compared.length + 1, right: 1 }
}

function itemsOf(node: unknown): readonly unknown[] {
  return isTree(node) && isTree(node.List) ? listOf(node.List.items) : []
}

function constantBytes({ sval, fval }: Tree): number {
  // With an exponent it may have more digits than are written.
  if (isTree(fval)) return /^[\d.]+$/.test(String(fval.fval)) ? String(fval.fval).length : NUMBER_BYTES
  return isTree(sval) && typeof sval.sval === 'string' ? Buffer.byteLength(sval.sval) : 8
}

function maxRest(left: Size | null, right: Size | null): Size | null {
  if (left === null || right === null) return left ?? right
  return largestOf([left, right])
}

/** Bytes of the value of a function. */
function valueBytes(name: string, whole: Size, sizes: readonly Size[]): number {
  const largestOfRest = (first: number) => Math.max(1, ...sizes.slice(first).map(({ bytes }) => bytes))
  if (growing.has(name)) return UNBOUNDED.bytes
  if (measuring.has(name)) return NUMBER_BYTES
  if (selecting.has(name)) return whole.bytes
  if (replacing.has(name)) return whole.bytes * largestOfRest(1)
  // With an array of fractions its value is an array, and each element may be the longest value.
  if (name === 'percentile_disc') return whole.bytes * largestOfRest(0)
  return Math.max(whole.bytes * expansionOf(name), NUMBER_BYTES)
}

/** Bytes of the value of an operator: of a comparison it is a truth value. */
function resultBytes(symbol: string, kind: unknown, bytes: number): number {
  if (symbol === '||' || kind === 'AEXPR_NULLIF') return bytes
  if (documentOperators.has(symbol)) return Math.max(bytes * expansionOf(symbol), NUMBER_BYTES)
  return arithmeticOperators.has(symbol) ? Math.max(bytes, NUMBER_BYTES) : NUMBER_BYTES
}

/** Bytes of `(array_agg(x))[1]`, which is one of the values that were put together; null: something else. */
function elementOfAggregate({ arg, indirection }: Tree, inside: (part: unknown) => Size): number | null {
  const call = isTree(arg) && isTree(arg.FuncCall) ? arg.FuncCall : null
  const steps = listOf(indirection)
  if (call === null || namesOf(call.funcname).at(-1) !== 'array_agg' || steps.length !== 1) return null
  const [step] = steps
  if (!isTree(step) || !isTree(step.A_Indices) || step.A_Indices.is_slice === true) return null
  return sumOf(listOf(call.args).map(inside)).bytes
}
