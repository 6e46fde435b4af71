import { type ErrorStatus, errorCodes, type Reason, reasons } from '../../../api/errors/reasons.ts'
import type { PublishedContract, ServedAnswer } from '../conformance-contract.ts'

/** What tells of the inside of the service. */
const leaks = /node_modules|\.ts:\d|select .+ from |insert into|PostgresError|at async |ECONNREFUSED|postgres:/i

/**
 * Holds an answer to anything whatever against what must always be so: it is not the service that failed, the answer
 * is one the document promises, an error has its envelope with a reason of its status, and tells nothing of the inside.
 * @throws Error naming what was broken
 */
export function checkAnswer(contract: PublishedContract, answer: ServedAnswer): void {
  const { method, path, status, text } = answer
  const fail = (what: string) => {
    throw new Error(`${method} ${path} answered ${status} and ${what}: ${text.slice(0, 500)}`)
  }
  if (status >= 500) fail('failed')
  contract.check(answer)
  if (status < 400) return
  if (leaks.test(text)) fail('told of its inside')
  const body = JSON.parse(text)
  if (status === 402 && body.service === undefined) return
  if (typeof body.error !== 'string' || !/\S/.test(body.error)) fail('has no sentence')
  if (!(reasons[body.service?.reason as Reason] as readonly number[] | undefined)?.includes(status)) {
    fail('has no reason of its status')
  }
  const code = errorCodes[status as ErrorStatus]
  if (body.code !== code && status !== 402 && body.code !== 'LEGAL_ACCEPTANCE_REQUIRED') fail(`is not ${code}`)
}
