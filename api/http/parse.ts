import type { ZodType, z } from 'zod'
import type { Detail } from '../../protocol/details.ts'
import type { Reason } from '../../protocol/reasons.ts'
import type { WindowProblem } from '../../protocol/windows.ts'
import { type FieldIssue, ServiceError } from '../errors/service-error.ts'

/** More issues than these help no caller. */
const MAX_ISSUES = 20
/** A path can quote a key the client chose. */
const MAX_PATH_LENGTH = 200

/**
 * Parses a part of a request.
 * @throws ServiceError 400 naming every field that is wrong; `reason` is `unclassified` unless given.
 */
export function parseWith<Output>(schema: ZodType<Output>, input: unknown, reason: Reason = 'unclassified'): Output {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  throw invalidRequest(withoutRepeats(parsed.error.issues.slice(0, MAX_ISSUES).map(toFieldIssue)), reason)
}

/** Two checks of one schema can refuse a value in the same words. */
function withoutRepeats(issues: FieldIssue[]): FieldIssue[] {
  return [...new Map(issues.map((issue) => [JSON.stringify(issue), issue])).values()]
}

/** A 400 that names the fields: one sentence about the first, and all of them in `issues`. */
export function invalidRequest(
  issues: FieldIssue[],
  reason: Reason = 'unclassified',
  detail: Detail = 'invalid_input',
): ServiceError {
  const [first] = issues
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ''
  const sentence =
    first === undefined || first.path === '' ? sentenceOf(first) : endSentence(`${first.path}: ${first.message}${more}`)
  return new ServiceError(400, reason, sentence, { detail, issues })
}

/** A question has its mark already. */
function endSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`
}

function sentenceOf(issue: FieldIssue | undefined): string {
  return issue === undefined ? 'The request is not valid.' : `The request is not valid: ${issue.message}.`
}

function toFieldIssue(issue: z.core.$ZodIssue): FieldIssue {
  return { path: issue.path.map(String).join('.').slice(0, MAX_PATH_LENGTH), message: messageOf(issue) }
}

/** zod's own messages where a caller who never saw the schema understands them, plainer ones elsewhere. */
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

/** A list in the place of one value is a parameter that was given more than once, or a list of JSON. */
function typeMessageOf({ expected, message }: z.core.$ZodIssueInvalidType): string {
  const [, custom] = /^Invalid input: (.*)$/.exec(message) ?? [null, null]
  if (custom === null) return message
  const type = `must be ${TYPES[expected] ?? expected}`
  return custom.endsWith('received array') ? `${type}, given once and not as a list` : type
}

/** A bound that was crossed, in words: of a number itself, of anything else of its length. */
function boundOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return issue.message
  const [bound, side] = issue.code === 'too_big' ? [issue.maximum, 'at most'] : [issue.minimum, 'at least']
  if (issue.origin === 'array') return `must have ${side} ${bound} ${bound === 1 ? 'item' : 'items'}`
  if (issue.origin === 'string') return `must have ${side} ${bound} characters`
  return issue.inclusive === false ? issue.message : `must be ${side} ${bound}`
}

/**
 * Refuses a signed window that was judged; null passes.
 * @throws ServiceError 400 with the condition and the field
 */
export function refuseWindow(problem: WindowProblem | null, path: string): void {
  if (problem === null) return
  const { detail, message } = problem
  throw new ServiceError(400, 'unclassified', message, { detail, issues: [{ path, message }] })
}
