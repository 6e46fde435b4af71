import { z } from 'zod'
import { bundleStatuses, type PolicyType, policyTypes } from '../../domain/legal/policy-bundle.ts'

/** Returns a schema for a text that becomes one line of the signed message. Line breaks are refused. */
function oneLine(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}\p{Cs}\u2028\u2029]*$/u, { error: 'must be one line of text' })
    .refine((text) => text.trim() === text, { error: 'must not begin or end with a space' })
}

const version = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, { error: 'must be 1 to 64 letters, digits, dots, dashes' })

const time = z.iso
  .datetime({ error: 'must be a time such as 2030-01-31T12:00:00Z' })
  .transform((text) => new Date(text).toISOString())

const policy = z.strictObject({ version, title: oneLine(120), summary: oneLine(500) })

/**
 * The schema of `bundle.json` in a policy directory. The file describes the policies. The texts of the policies are in
 * other files.
 */
export const bundleFileSchema = z
  .strictObject({
    version,
    status: z.enum(bundleStatuses),
    effectiveAt: time.nullable(),
    publishedAt: time,
    acceptanceStatement: oneLine(2000),
    documents: z.strictObject(
      Object.fromEntries(policyTypes.map((type) => [type, policy])) as Record<PolicyType, typeof policy>,
    ),
  })
  .refine((bundle) => bundle.status === 'draft' || bundle.effectiveAt !== null, {
    path: ['effectiveAt'],
    error: 'must be a time in an approved bundle',
  })
