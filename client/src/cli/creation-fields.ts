import { catalogue } from '../mcp/catalogue.ts'
import { CliError, exits } from './io.ts'

/** Field that is read from the environment, because command-line arguments are public on a machine. */
const PASSWORD_FIELD = 'accessPassword'
const PASSWORD_VARIABLE = 'TASK_MARKET_ACCESS_PASSWORD'

/**
 * Parses the fields of a creation that have no option of their own, by the schema of the write: texts unchanged, numbers, true or
 * false, and lists and objects as JSON.
 * @param given pairs of name and text
 * @throws CliError
 */
export function readCreationFields(
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const { properties = {} } = catalogue.writes.find(({ name }) => name === 'createTask')?.inputSchema ?? {}
  const fields = Object.entries(given).map(([name, text]) => {
    if (name === PASSWORD_FIELD) throw new CliError(`Give the password as ${PASSWORD_VARIABLE}.`, exits.usage)
    const schema = Object.hasOwn(properties, name) ? (properties[name] as { type?: unknown }) : undefined
    if (schema === undefined) throw new CliError(`A task has no field ${name}.`, exits.usage)
    return [name, readField(name, text, schema.type)] as const
  })
  const password = env[PASSWORD_VARIABLE]
  return { ...Object.fromEntries(fields), ...(password !== undefined && { [PASSWORD_FIELD]: password }) }
}

/**
 * Parses the text of one field by its schema type.
 * @throws CliError when the text has another type
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
