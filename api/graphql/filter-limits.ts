import { type GraphQLInputObjectType, getNullableType, isListType } from 'graphql/index.js'
import { type ArgumentProblem, firstProblem, overLimit, unusable } from './argument-problem.ts'
import { limits } from './limits.ts'

/** The filter of a table as graphql-js hands it to the resolver: only fields of its type. */
type Filter = Record<string, unknown>

/**
 * Checks a `where` against the limits, and for what the resolver cannot turn into SQL.
 * @returns what is wrong; null when nothing is
 */
export function findFilterProblem(filter: unknown, type: GraphQLInputObjectType): ArgumentProblem | null {
  if (filter === null) return unusable('An argument where must be left out instead of being null.')
  const count = { conditions: 0 }
  return findProblem(filter as Filter, { type, count, levels: 0 })
}

interface Place {
  type: GraphQLInputObjectType
  /** Of the whole filter. */
  count: { conditions: number }
  /** How many AND and OR the filter is in. */
  levels: number
}

function findProblem(filter: Filter, place: Place): ArgumentProblem | null {
  for (const [name, value] of Object.entries(filter)) {
    const problem =
      name === 'AND' || name === 'OR' ? findInGroup(name, { value, place }) : findInCondition(name, { value, place })
    if (problem !== null) return problem
  }
  return null
}

function findInGroup(name: string, { value, place }: { value: unknown; place: Place }): ArgumentProblem | null {
  if (place.levels === limits.conditionLevels) {
    return overLimit(`AND and OR may be nested at most ${limits.conditionLevels} levels deep.`)
  }
  // A single object was made a list of one by graphql-js.
  if (!Array.isArray(value) || value.includes(null)) return unusable(`${name} must be a list of filters without null.`)
  const below = { ...place, levels: place.levels + 1 }
  for (const filter of value as Filter[]) {
    const problem = findProblem(filter, below)
    if (problem !== null) return problem
  }
  return null
}

function findInCondition(name: string, { value, place }: { value: unknown; place: Place }): ArgumentProblem | null {
  place.count.conditions += 1
  if (place.count.conditions > limits.conditions) {
    return overLimit(`A filter may have at most ${limits.conditions} conditions.`)
  }
  const type = place.type.getFields()[name]?.type
  if (isListType(getNullableType(type))) {
    if (!Array.isArray(value)) return unusable(`The condition ${name} needs a list of values, not null.`)
    if (value.length > limits.listValues) {
      return overLimit(`The condition ${name} may have at most ${limits.listValues} values.`)
    }
    // The list of a column that is a list itself: there is no SQL for an empty one.
    if (value.length === 0 && !name.endsWith('_in')) {
      return unusable(`The condition ${name} needs at least one value.`)
    }
    return firstProblem(value.map((entry) => findValueProblem(name, entry)))
  }
  return findValueProblem(name, value)
}

/** What is too large about one value of a column: of a condition, or of a key. */
export function findValueProblem(name: string, value: unknown): ArgumentProblem | null {
  if (typeof value === 'string' && value.length > limits.textCharacters) {
    return overLimit(`The text of ${name} may have at most ${limits.textCharacters} characters.`)
  }
  if (typeof value === 'bigint' && value.toString().replace('-', '').length > limits.numberDigits) {
    return overLimit(`The number of ${name} may have at most ${limits.numberDigits} digits.`)
  }
  return null
}
