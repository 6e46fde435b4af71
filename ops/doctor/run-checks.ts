import { withTimeout } from '../../api/concurrency/with-timeout.ts'
import { escapeHidden } from '../../api/text/escape-hidden.ts'
import { createRedact } from '../../api/text/redact.ts'
import { type Check, type Finding, type Observation, toFinding } from './check.ts'
import { checks } from './checks.ts'
import { describeFailure } from './describe-failure.ts'
import { type DoctorContext, openContext } from './open-context.ts'

/** Default time limit of a check, in milliseconds. */
export const TIME_LIMIT_MS = 10_000

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Runs all checks in parallel, each within its time limit.
 * @param environmentOf returns the environment variables of a program
 * @returns the findings in the order of the checks, with all secret values removed
 * @example await runChecks(() => process.env)
 */
export async function runChecks(environmentOf: (program: string) => Environment): Promise<Finding[]> {
  const { context, secrets, close } = openContext(environmentOf)
  const redact = createRedact(secrets)
  const clean = (text: string) => escapeHidden(redact(text))
  try {
    const findings = (await Promise.all(checks.map((check) => runCheck(check, context)))).flat()
    return withoutConsequences(findings).map((finding) => ({ ...finding, finding: clean(finding.finding) }))
  } finally {
    await close()
  }
}

/**
 * Replaces the fault `no_answer` of a check with the result `unchecked` if the check depends on another check whose
 * result is `wrong`. The report then names the cause only once.
 */
function withoutConsequences(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const { follows = [] } = checks.find(({ name }) => name === finding.check) ?? {}
    const cause = follows.find((name) => findings.some(({ check, result }) => check === name && result === 'wrong'))
    if (finding.fault !== 'no_answer' || cause === undefined) return finding
    return { check: finding.check, result: 'unchecked', finding: `first repair what the check \`${cause}\` found` }
  })
}

/** Runs one check. If the check throws or exceeds its time limit, the result is the fault `no_answer`. */
export async function runCheck(check: Check, context: DoctorContext): Promise<Finding[]> {
  const limit = check.timeLimitMs ?? TIME_LIMIT_MS
  const noAnswer = (detail: string): Observation<string>[] => [{ fault: 'no_answer', detail }]
  const observations = await withTimeout(check.find(context), limit).catch((error: unknown) =>
    noAnswer(describeFailure(error)),
  )
  return (observations ?? noAnswer(`it took longer than ${limit / 1000} s`)).map((each) => toFinding(check, each))
}
