import { expect, test } from 'vitest'
import type { Operation } from '../../../api/intents/operations.ts'
import { openApiDocument } from '../../../api/server/openapi/document.ts'
import { writes } from '../../../api/server/routes.ts'
import { inlineReferences } from '../../support/inline-references.ts'

/**
 * The requests that need no legal receipt. Spec, "Legal acceptance": withdrawal, refund, cancellation and appeal work without
 * accepting a new version; Interface, "Legal", names them.
 */
const exempt: Operation[] = [
  'tasks.cancel',
  'tasks.refundExpired',
  'bids.selectWinner',
  'tasks.appeal',
  'tasks.finalizeVerdict',
  'tasks.settleStale',
  'wallet.pushCredit',
  'wallet.withdraw',
  'wallet.withdrawToken',
  'sponsoredTaskVaults.claim',
  'wallet.boundOnly',
]

test('the exempt writes are those of the interface', () => {
  const operations = writes.filter(({ legalExempt }) => legalExempt === true).map(({ operation }) => operation)
  expect(operations.sort()).toEqual([...exempt].sort())
})

test('the document tells of receipt and code on protected writes alone', () => {
  const { paths = {} } = inlineReferences(
    openApiDocument({ routes: [], writes, serviceName: 'service', chainId: 8453, examples: {} }),
  )
  for (const { path, operation } of writes) {
    const described = paths[`/api${path}`]?.post
    const headers = described?.parameters?.map((parameter) => ('name' in parameter ? parameter.name : ''))
    const told = {
      header: headers?.includes('X-Service-Legal-Receipt'),
      code: JSON.stringify(described?.responses?.['403']).includes('LEGAL_ACCEPTANCE_REQUIRED'),
    }
    const isProtected = !exempt.some((name) => name === operation)
    expect({ operation, ...told }).toEqual({ operation, header: isProtected, code: isProtected })
  }
})
