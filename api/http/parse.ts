import type { ZodType, z } from 'zod'
import type { Detail } from '../../protocol/details.ts'
import type { Reason } from '../../protocol/reasons.ts'
import type { WindowProblem } from '../../protocol/windows.ts'
import { type FieldIssue, ServiceError } from '../errors/service-error.ts'

/** The largest number of issues (invalid fields) that an error answer lists. More issues do not help the caller. */
const MAX_ISSUES = 20
/** The longest printed path of an issue, in characters. A path can contain a name that the client chose. */
const MAX_PATH_LENGTH = 200

/**
 * Parses a part of a request.
 * @throws ServiceError 400 with every invalid field; `reason` is `unclassified` by default
 */
export function parseWith<Output>(schema: ZodType<Output>, input: unknown, reason: Reason = 'unclassified'): Output {
  const parsing = schema.safeParse(input)
  if (parsing.success) return parsing.data
  throw invalidRequest(withoutRepeats(parsing.error.issues.slice(0, MAX_ISSUES).map(toFieldIssue)), reason)
}

/** Removes repeated issues. Two checks of one schema can report the same issue. */
function withoutRepeats(issues: FieldIssue[]): FieldIssue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

/** Returns an error 400 whose sentence describes the first invalid field. `issues` contains all invalid fields. */
export function invalidRequest(
  issues: FieldIssue[],
  reason: Reason = 'unclassified',
  detail: Detail = 'invalid_input',
): ServiceError {
  const [first] = issues
  const furtherIssues = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const sentence =
    first === undefined || first.path === ''
      ? sentenceOf(first)
      : endSentence(`${first.path}: ${first.message}${furtherIssues}`)
  return new ServiceError(400, reason, sentence, { detail, issues })
}

/** Adds a full stop to a sentence, unless it ends with a question mark. */
function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}

function sentenceOf(issue: FieldIssue | undefined): string {
  return issue === undefined ? 'The request is not valid.' : `The request is not valid: ${issue.message}.`
}

function toFieldIssue(issue: z.core.$ZodIssue): FieldIssue {
  return { path: issue.path.map(String).join('.').slice(0, MAX_PATH_LENGTH), message: messageOf(issue) }
}

/** Returns zod's message if a reader understands it without the schema. Otherwise returns a plainer message. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.message.endsWith('received undefined')) return 'is required'
  if (/^Too (?:big|small): /.test(issue.message)) return boundOf(issue)
  if (issue.code === 'invalid_type') return typeMessageOf(issue)
  return issue.message.replace(/^Invalid (?:input|option): expected/, 'must be').replace(/, received \w+$/, '')
}

const TYPES: Partial<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

/**
 * Returns the message for a value of a wrong type. If the value is an array, the caller has repeated a parameter or put
 * a list into the JSON. The message says this.
 */
function typeMessageOf({ expected, message }: z.core.$ZodIssueInvalidType): string {
  const [, customMessage] = /^Invalid input: (.*)$/.exec(message) ?? [null, null]
  if (customMessage === null) return message
  const type = `must be ${TYPES[expected] ?? expected}`
  return customMessage.endsWith('received array') ? `${type}, given once and not as a list` : type
}

/**
 * Returns the message for a value that is out of bounds: a number that is too small or too large, or a text or list
 * that is too short or too long.
 */
function boundOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return issue.message
  const [limit, side] = issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least']
  if (issue.origin === 'array') return `must have ${side} ${limit} ${limit === 1 ? 'item' : 'items'}`
  if (issue.origin === 'string') return `must have ${side} ${limit} characters`
  return issue.inclusive === false ? issue.message : `must be ${side} ${limit}`
}

/**
 * Refuses a signed request whose time window is wrong. If `problem` is null, the time window is valid and nothing is
 * thrown.
 * @throws ServiceError 400 with the violated rule and the field
 */
export function refuseWindow(problem: WindowProblem | null, path: string): void {
  if (problem === null) return
  const { detail, message } = problem
  throw new ServiceError(400, 'unclassified', message, { detail, issues: [{ path, message }] })
}
