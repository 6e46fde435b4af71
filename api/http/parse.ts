import type { ZodType, z } from 'zod'
import type { Detail } from '../../protocol/details.ts'
import type { Reason } from '../../protocol/reasons.ts'
import type { WindowProblem } from '../../protocol/windows.ts'
import { type FieldIssue, ServiceError } from '../errors/service-error.ts'

/** The most issues of an answer; more help no caller. */
const MAX_ISSUES = 20
/** The longest path of an issue, which can contain a client's key. */
const MAX_PATH_LENGTH = 200

/**
 * Parses a part of a request.
 * @throws ServiceError 400 naming every invalid field; `reason` defaults to `unclassified`
 */
export function parseWith<Output>(schema: ZodType<Output>, input: unknown, reason: Reason = 'unclassified'): Output {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalidRequest(withoutRepeats(parsed.error.issues.slice(0, MAX_ISSUES).map(toFieldIssue)), reason)
}

/** Removes repeated issues, which two checks of one schema can cause. */
function withoutRepeats(issues: FieldIssue[]): FieldIssue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

/** Returns a 400 with a sentence about the first field, and all fields in `issues`. */
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

/** Ends a sentence with a full stop, unless it ends with a question mark. */
function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}

function sentenceOf(issue: FieldIssue | undefined): string {
  return issue === undefined ? 'The request is not valid.' : `The request is not valid: ${issue.message}.`
}

function toFieldIssue(issue: z.core.$ZodIssue): FieldIssue {
  return { path: issue.path.map(String).join('.').slice(0, MAX_PATH_LENGTH), message: messageOf(issue) }
}

/** Returns zod's message where it is clear without the schema, a plainer one elsewhere. */
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

/** Returns the message of a wrong type. A list instead of one value is a repeated parameter or a JSON list. */
function typeMessageOf({ expected, message }: z.core.$ZodIssueInvalidType): string {
  const [, custom] = /^Invalid input: (.*)$/.exec(message) ?? [null, null]
  if (custom === null) return message
  const type = `must be ${TYPES[expected] ?? expected}`
  return custom.endsWith('received array') ? `${type}, given once and not as a list` : type
}

/** Returns the message of a crossed bound, on a number or on a length. */
function boundOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return issue.message
  const [bound, side] = issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least']
  if (issue.origin === 'array') return `must have ${side} ${bound} ${bound === 1 ? 'item' : 'items'}`
  if (issue.origin === 'string') return `must have ${side} ${bound} characters`
  return issue.inclusive === false ? issue.message : `must be ${side} ${bound}`
}

/**
 * Refuses a signed window with a problem; null passes.
 * @throws ServiceError 400 with the condition and the field
 */
export function refuseWindow(problem: WindowProblem | null, path: string): void {
  if (problem === null) return
  const { detail, message } = problem
  throw new ServiceError(400, 'unclassified', message, { detail, issues: [{ path, message }] })
}
