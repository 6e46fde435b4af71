import type { AnswerOf, ReadPath } from '../../http/read.ts'
import type { Task } from '../../http/rows.ts'
import { parseUsdc } from '../../words/amount.ts'

/** Path of the API that returns the list of tasks. */
export const listPath = '/api/tasks' satisfies ReadPath
export type TaskPage = AnswerOf<typeof listPath>

/**
 * States by which the list can be filtered. Each key is a value of the URL's parameter `state`. Example:
 * `/tasks?state=active`. The first state is the default.
 */
export const stateChoices = {
  open: { name: 'Open', query: { status: 'open' } },
  active: { name: 'Running', query: { phase: 'active' } },
  in_review: { name: 'In review', query: { phase: 'in_review' } },
  awaiting_settlement: { name: 'Time over', query: { phase: 'awaiting_settlement' } },
  resolved: { name: 'Ended', query: { phase: 'resolved' } },
  all: { name: 'All', query: {} },
} as const

export type StateChoice = keyof typeof stateChoices

/** Labels of the list's sort orders, by the value of the parameter `sort` in the URL. */
export const sortChoices = {
  newest: 'Newest',
  reward_desc: 'Highest reward',
  reward_asc: 'Lowest reward',
  deadline_asc: 'Ends soonest',
  relevance: 'Best match',
} as const

/** Choices for the filter `deadlineHours`. Each choice is a number of hours until the end of the task, and a label. */
export const deadlineChoices = [
  ['', 'Any time'],
  ['24', 'A day'],
  ['72', 'Three days'],
  ['168', 'A week'],
  ['720', 'A month'],
] as const

/** Names of the filter form's fields, which are also the names of the parameters in the URL. */
export const fieldNames = [
  'state',
  'q',
  'mode',
  'auctionType',
  'requesterActorType',
  'tags',
  'minReward',
  'maxReward',
  'deadlineHours',
  'requester',
  'worker',
  'taskDropId',
  'sort',
] as const
export type FieldName = (typeof fieldNames)[number]
export type Fields = Partial<Record<FieldName, string>>

/**
 * Reads the filters from the parameters of a URL. Empty and unknown parameters are ignored. Example: `mode=bounty&q=`
 * gives `{ mode: 'bounty' }`.
 */
export function readFields(search: URLSearchParams): Fields {
  return Object.fromEntries(
    fieldNames.flatMap((name) => {
      const values = search.getAll(name).map((value) => value.trim())
      const value = name === 'tags' ? values.filter(Boolean).join(',') : values[0]
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
}

/** Returns the selected state; `open` if none or an unknown state is selected. */
export function stateOfFields({ state }: Fields): StateChoice {
  return isStateChoice(state) ? state : 'open'
}

function isStateChoice(text: string | undefined): text is StateChoice {
  return text !== undefined && Object.hasOwn(stateChoices, text)
}

/** Returns the URL of the list with these filters. Example: `/tasks?mode=bounty&tags=rust`. */
export function listUrl(fields: Fields, cursor?: string, path = '/tasks'): string {
  const search = new URLSearchParams()
  for (const name of fieldNames) {
    const value = fields[name]
    if (value === undefined || value === '' || (name === 'state' && value === 'open')) continue
    search.set(name, value)
  }
  if (cursor !== undefined) search.set('cursor', cursor)
  const text = search.toString()
  return text === '' ? path : `${path}?${text}`
}

/** A field of the filter form whose value is not allowed. */
export interface WrongField {
  field: FieldName
  message: string
}

/** Converts the fields of the form to a query of the API. Also lists the fields with wrong values. */
export function toQuery(fields: Fields): { query: ListQuery; wrong: WrongField[] } {
  const wrongFields: WrongField[] = []
  const baseUnits = (field: 'minReward' | 'maxReward') => {
    const text = fields[field]
    if (text === undefined) return {}
    const units = parseUsdc(text)
    if (units === null) wrongFields.push({ field, message: 'Type an amount such as 12.50.' })
    return units === null ? {} : { [field]: units.toString() }
  }
  const { mode, auctionType, requesterActorType, tags, deadlineHours, sort, q } = fields
  const rest = pick(fields, ['requester', 'worker', 'taskDropId'])
  const query = {
    ...stateChoices[stateOfFields(fields)].query,
    ...rest,
    ...baseUnits('minReward'),
    ...baseUnits('maxReward'),
    ...(q !== undefined && { q }),
    ...(mode !== undefined && { mode }),
    ...(auctionType !== undefined && { auctionType }),
    ...(requesterActorType !== undefined && { requesterActorType }),
    ...(tags !== undefined && {
      tags: tags
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    }),
    ...(deadlineHours !== undefined && { deadlineHours: Number(deadlineHours) }),
    // Without search words there is no relevance.
    ...(sort !== undefined && !(sort === 'relevance' && q === undefined) && { sort }),
  }
  // The API refuses unknown words and names them.
  return { query: query as ListQuery, wrong: wrongFields }
}

/** The query parameters of the list, as the API documents them. */
export type ListQuery = {
  limit?: number
  cursor?: string
  status?: Task['status'] | 'ALL'
  phase?: Task['phase']
  mode?: Task['mode'] | 'ALL'
  sort?: keyof typeof sortChoices
  requester?: string
  worker?: string
}

/**
 * Returns the field of the filter form that has the same name as a parameter that the API refused. Returns null if the
 * form has no field of this name.
 */
export function fieldOfIssue(path: string): FieldName | null {
  const [name = ''] = path.split('.')
  return fieldNames.find((field) => field === name) ?? null
}

function pick<Name extends FieldName>(fields: Fields, names: readonly Name[]): Partial<Record<Name, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = fields[name]
      return value === undefined ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, string>>
}
