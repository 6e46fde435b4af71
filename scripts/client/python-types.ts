import { operations } from '../../protocol/operations.ts'
import { actionFee, free, rewardPrice, stakeOfTask } from '../../protocol/prices.ts'

/** The parts of a schema in docs/openapi.json that are needed to generate its Python type. */
interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Document {
  paths: Record<string, Record<string, Route>>
  components: { schemas: Record<string, Schema> }
}

interface Route {
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/** The parts of an entry of the table of operations that the Python client needs. */
interface Entry {
  name: string
  operationId: string
  path: string
  kind: string
  price: unknown
  facts: readonly string[]
  choices?: readonly string[]
  actorField?: string
  bodyless?: true
  modes?: readonly string[]
  signed?: { verb: string; suffixRule: string }
}

const keywords = ['from', 'is', 'in', 'class', 'global', 'pass', 'None', 'True', 'False', 'def', 'not', 'or', 'and']
const scalars: Record<string, string> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/**
 * The writes that the forwarder relays to the market or the registrar. The Python client builds the requests of these
 * writes. For other writes, the wallet's owner signs the contract call itself.
 */
const entries: readonly Entry[] = Object.values(operations as Record<string, Entry>).filter(
  ({ kind }) => kind === 'market' || kind === 'registry',
)

/**
 * Returns the Python types (`TypedDict`) of all components of the document, and of the fields and the answer of each
 * write.
 */
export function makePythonTypes(document: Document): string {
  const classes = new Classes()
  for (const [name, schema] of Object.entries(document.components.schemas)) classes.define(name, schema)
  for (const entry of entries) {
    classes.define(fieldsOf(entry), requestOf(document, entry))
    const answer = routeOf(document, entry).responses['200']?.content?.['application/json']?.schema
    if (answer !== undefined) classes.alias(answerOf(entry), answer)
  }
  const imports = ['from __future__ import annotations\n', 'from typing import Any, Literal, NotRequired, TypedDict']
  return [imports.join('\n'), ...classes.texts, classes.aliases.join('\n')].join('\n\n\n')
}

/** Returns the Python code of the table of writes, and of one method for each write. */
export function makePythonWrites(): string {
  const fee = ({ price }: Entry) =>
    price === free || price === rewardPrice || price === stakeOfTask ? 0 : actionFee.least
  const text = (value: string | undefined) => (value === undefined ? 'None' : JSON.stringify(value))
  const list = (values: readonly string[] = []) => `[${values.map((value) => JSON.stringify(value)).join(', ')}]`
  const rows = entries.map((entry) => {
    const { name, operationId, path, modes, signed, facts, choices, actorField, bodyless = false } = entry
    return [
      `    ${text(operationId)}: Operation(`,
      `        name=${text(name)},`,
      `        path=${text(`/api${path}`)},`,
      `        modes=${list(modes)},`,
      `        verb=${text(signed?.verb)},`,
      `        names_round=${signed?.suffixRule === 'round' ? 'True' : 'False'},`,
      `        facts=${list(facts)},`,
      `        choices=${list(choices)},`,
      `        actor_field=${text(actorField)},`,
      `        bodyless=${bodyless ? 'True' : 'False'},`,
      `        fee=${fee(entry)},`,
      '    ),',
    ].join('\n')
  })
  const methods = entries.map((entry) => {
    const takesTask = entry.path.includes('{taskId}')
    const parameters = ['self', ...(takesTask ? ['task_id: str'] : []), '*', 'options: Options = Options()']
    const fieldsExpression = takesTask ? '{"taskId": task_id, **fields}' : '{**fields}'
    return [
      `    def ${toSnake(entry.operationId)}(`,
      `        ${parameters.join(', ')}, **fields: Unpack[types.${fieldsOf(entry)}]`,
      `    ) -> Outcome[types.${answerOf(entry)}]:`,
      `        return self.write(${JSON.stringify(entry.operationId)}, ${fieldsExpression}, options)`,
    ].join('\n')
  })
  return [
    'from collections.abc import Mapping',
    'from typing import Any, Unpack\n',
    'from . import types',
    'from .outcome import Operation, Options, Outcome\n',
    'OPERATIONS: Mapping[str, Operation] = {',
    ...rows,
    '}\n\n',
    'class Writes:',
    '    """A method for each write; its fields are those of the request in `/openapi.json`."""\n',
    '    def write(self, operation_id: str, request: Mapping[str, Any], options: Options = Options()) -> Outcome[Any]:',
    '        raise NotImplementedError\n',
    methods.join('\n\n'),
    '',
  ].join('\n')
}

function routeOf({ paths }: Document, { path, operationId }: Entry): Route {
  const route = paths[`/api${path}`]?.post
  if (route === undefined) throw new Error(`docs/openapi.json has no ${operationId}`)
  return route
}

/** Returns the request schema of a write without the fields that the client itself fills in. */
function requestOf(document: Document, entry: Entry): Schema {
  const reference = routeOf(document, entry).requestBody?.content['application/json']?.schema.$ref ?? ''
  const { properties = {}, required = [] } = document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
  const filledNames = ['taskId', 'signature', entry.actorField]
  const keptProperties = Object.entries(properties).filter(([name]) => !filledNames.includes(name))
  return {
    type: 'object',
    properties: Object.fromEntries(keptProperties),
    required: required.filter((name) => !filledNames.includes(name)),
  }
}

const fieldsOf = ({ operationId }: Entry) => `${toPascal(operationId)}Fields`
const answerOf = ({ operationId }: Entry) => `${toPascal(operationId)}Answer`

/**
 * Collects Python classes and type aliases. The annotations of a class may use a class that is defined later; an alias
 * may not.
 */
class Classes {
  readonly texts: string[] = []
  readonly aliases: string[] = []

  define(name: string, schema: Schema): void {
    if (schema.properties === undefined) {
      this.alias(name, schema)
      return
    }
    const { properties, required = [] } = schema
    const fields = Object.entries(properties).map(([field, property]) => {
      const type = this.typeOf(property, name + toPascal(field))
      return [field, required.includes(field) ? type : `NotRequired[${type}]`] as const
    })
    if (fields.some(([field]) => keywords.includes(field) || !/^[A-Za-z_]\w*$/.test(field))) {
      const rows = fields.map(([field, type]) => `        ${JSON.stringify(field)}: ${JSON.stringify(type)},\n`)
      this.texts.push(`${name} = TypedDict(\n    "${name}",\n    {\n${rows.join('')}    },\n)`)
      return
    }
    const rows = fields.map(([field, type]) => `    ${field}: ${type}`)
    this.texts.push([`class ${name}(TypedDict):`, ...(rows.length > 0 ? rows : ['    pass'])].join('\n'))
  }

  alias(name: string, schema: Schema): void {
    if (schema.properties !== undefined) this.define(name, schema)
    else this.aliases.push(`${name} = ${this.typeOf(schema, name)}`)
  }

  private typeOf(schema: Schema, name: string): string {
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'Any'
    if (schema.const !== undefined) return `Literal[${toLiteral(schema.const)}]`
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(toLiteral).join(', ')}]`
    const choices = schema.anyOf ?? schema.oneOf
    if (choices !== undefined) return union(choices.map((one, index) => this.typeOf(one, `${name}${index || ''}`)))
    if (schema.allOf !== undefined) return this.typeOf(schema.allOf[0] ?? {}, name)
    if (schema.properties !== undefined) {
      this.define(name, schema)
      return name
    }
    const kinds = [schema.type ?? []].flat()
    if (kinds.length === 0) return 'Any'
    return union(kinds.map((kind) => this.typeOfKind(kind, schema, name)))
  }

  private typeOfKind(kind: string, { items, additionalProperties }: Schema, name: string): string {
    if (kind === 'array') return `list[${this.typeOf(items ?? {}, `${name}Item`)}]`
    if (kind !== 'object') return scalars[kind] ?? 'Any'
    const values = typeof additionalProperties === 'object' ? additionalProperties : {}
    return `dict[str, ${this.typeOf(values, `${name}Value`)}]`
  }
}

const toLiteral = (value: unknown) => (value === null ? 'None' : JSON.stringify(value))
const union = (types: string[]) => [...new Set(types)].join(' | ')
const toPascal = (name: string) =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
