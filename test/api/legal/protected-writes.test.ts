import { expect, test } from 'vitest'
import type { Operation } from '../../../api/intents/operations.ts'
import { openApiDocument } from '../../../api/server/openapi/document.ts'
import { writes } from '../../../api/server/routes.ts'
import { inlineReferences } from '../../support/inline-references.ts'

/**
 * Whether a write needs a legal receipt. Spec, "Legal acceptance": withdrawal, refund, cancellation and appeal work
 * without accepting a new version; Interface, "Legal", names them. A new operation does not compile without its line.
 */
const protection: Record<Operation, 'protected' | 'free'> = {
  'tasks.create': 'protected',
  'tasks.update': 'protected',
  'tasks.cancel': 'free',
  'tasks.refundExpired': 'free',
  'tasks.accept': 'protected',
  'tasks.acceptSubmissions': 'protected',
  'tasks.rate': 'protected',
  'submissions.create': 'protected',
  'submissions.createFromKeys': 'protected',
  'submissions.reject': 'protected',
  'claims.create': 'protected',
  'bids.create': 'protected',
  'bids.accept': 'protected',
  'bids.selectWinner': 'free',
  'tasks.forfeit': 'protected',
  'tasks.object': 'protected',
  'tasks.assignEvaluator': 'protected',
  'tasks.evaluate': 'protected',
  'tasks.appeal': 'free',
  'tasks.resolveDispute': 'protected',
  'tasks.finalizeVerdict': 'free',
  'tasks.evaluatorTimeout': 'protected',
  'tasks.settleStale': 'free',
  'wallet.pushCredit': 'free',
  'wallet.withdraw': 'free',
  'wallet.withdrawToken': 'free',
  'sponsoredTaskVaults.claim': 'free',
  'identity.register': 'protected',
  'identity.mint': 'free',
  'sponsoredTaskVaults.settle': 'free',
  'sponsoredTaskVaults.reconcile': 'free',
  'pitches.create': 'protected',
  'pitches.select': 'protected',
  'proofs.create': 'protected',
}

test.each(writes.map(({ operation, legalExempt }) => ({ operation, legalExempt })))(
  '$operation is protected or free as the interface says',
  ({ operation, legalExempt }) => {
    expect(legalExempt === true ? 'free' : 'protected').toBe(protection[operation])
  },
)

test('the document tells of receipt and code on protected writes alone', () => {
  const { paths = {} } = inlineReferences(openApiDocument({ routes: [], writes, serviceName: 'service', examples: {} }))
  for (const { path, operation } of writes) {
    const described = paths[`/api${path}`]?.post
    const headers = described?.parameters?.map((parameter) => ('name' in parameter ? parameter.name : ''))
    const told = {
      header: headers?.includes('X-Service-Legal-Receipt'),
      code: JSON.stringify(described?.responses?.['403']).includes('LEGAL_ACCEPTANCE_REQUIRED'),
    }
    const isProtected = protection[operation] === 'protected'
    expect({ operation, ...told }).toEqual({ operation, header: isProtected, code: isProtected })
  }
})
