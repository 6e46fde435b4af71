import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'
import { repositoryRoot } from '../../ops/process/paths.ts'

const rulesFile = z.object({
  groups: z.array(
    z.object({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z.string().default('at once'),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({
            summary: z.string(),
            description: z.string(),
            runbook_url: z.string().regex(/^docs\/operate\/bad-day\/[a-z-]+\.md$/),
          }),
        }),
      ),
    }),
  ),
})

/** An alert of ops/prometheus/rules.yml. */
export interface Alert {
  name: string
  severity: 'page' | 'ticket'
  expression: string
  /** Time for which the expression must be true until the alert fires, such as `5m`. */
  forTime: string
  /** Text of the alert when it fires. It is a template of Prometheus: `{{ $labels.relayer }} has little ether`. */
  summary: string
  description: string
  /** Path of the page in this repository that tells the operator what to do. */
  runbook: string
}

/**
 * Reads the alerts of ops/prometheus/rules.yml. @throws ZodError if an alert has no severity, summary, description or
 * runbook
 */
export function readAlerts(): Alert[] {
  const file = parse(readFileSync(join(repositoryRoot, 'ops', 'prometheus', 'rules.yml'), 'utf8'))
  return rulesFile.parse(file).groups.flatMap(({ rules }) =>
    rules.map(
      ({ alert, expr, for: forTime, labels: { severity }, annotations: { summary, description, runbook_url } }) => ({
        name: alert,
        severity,
        expression: expr.replace(/\s+/g, ' ').trim(),
        forTime,
        summary,
        description,
        runbook: runbook_url,
      }),
    ),
  )
}
