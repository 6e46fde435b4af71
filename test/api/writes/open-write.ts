import { z } from 'zod'
import type { AnyWrite } from '../../../api/writes/relayed-write.ts'

/** A permissionless write, as those that finish what others began. */
export function anOpenWrite(path: string, changes: Partial<Pick<AnyWrite, 'respond' | 'prepare'>> = {}): AnyWrite {
  return {
    operation: 'tasks.refundExpired',
    operationId: 'poke',
    summary: 'Poke',
    description: 'For tests.',
    path,
    params: z.object({}),
    body: z.object({}),
    bodyless: true,
    response: z.object({}),
    load: async () => ({}),
    modes: ['open'],
    charge: () => ({ amount: 0n, escrow: 0n }),
    preflight: () => null,
    prepare: async ({ deployment }) => ({ target: deployment.market, data: '0x12345678', content: {} }),
    result: ({ txHash }) => ({ body: { txHash } }),
    ...changes,
  }
}
