import { catalogue } from '../mcp/catalogue.ts'
import { CliError, exits } from './io.ts'

/**
 * The field that takes its value only from the environment variable `PASSWORD_VARIABLE`. The value is a password, and
 * other users of the machine can read command-line arguments.
 */
const PASSWORD_FIELD = 'accessPassword'
const PASSWORD_VARIABLE = 'TASK_MARKET_ACCESS_PASSWORD'

/**
 * Parses the fields of a new task that have no command-line option of their own. Lists and objects are given as JSON.
 * @param fieldTexts the text of each field, by field name
 * @throws CliError when a task has no such field, or when a text does not fit the field's type
 */
export function readCreationFields(
  fieldTexts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const { properties = {} } = catalogue.writes.find(({ name }) => name === 'createTask')?.inputSchema ?? {}
  const fields = Object.entries(fieldTexts).map(([name, text]) => {
    if (name === PASSWORD_FIELD) throw new CliError(`Give the password as ${PASSWORD_VARIABLE}.`, exits.usage)
    const schema = Object.hasOwn(properties, name) ? (properties[name] as { type?: unknown }) : undefined
    if (schema === undefined) throw new CliError(`A task has no field ${name}.`, exits.usage)
    return [name, readField(name, text, schema.type)] as const
  })
  const password = env[PASSWORD_VARIABLE]
  return { ...Object.fromEntries(fields), ...(password !== undefined && { [PASSWORD_FIELD]: password }) }
}

/**
 * Parses the text of one field according to its schema type.
 * @throws CliError when the text does not fit the type
 */
function readField(name: string, text: string, type: unknown): unknown {
  switch (type) {
    case 'string':
      return text
    case 'integer':
    case 'number':
      if (/^[0-9]{1,15}(\.[0-9]{1,15})?$/.test(text)) return Number(text)
      throw new CliError(`The field ${name} is a number.`, exits.usage)
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw new CliError(`The field ${name} is true or false.`, exits.usage)
    default:
      try {
        return JSON.parse(text)
      } catch {
        throw new CliError(`The field ${name} is JSON, such as ["0x..."].`, exits.usage)
      }
  }
}
