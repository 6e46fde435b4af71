import type { Address } from 'viem'
import { expect } from 'vitest'
import type { Actor } from './actors.ts'
import type { Answer } from './api.ts'
import { aRegistration } from './withdrawals.ts'

/** Registers a withdrawal address; its recovery code. */
export async function register(
  api: { post: (path: string, body: unknown) => Promise<Pick<Answer, 'status' | 'body'>> },
  owner: Actor,
  withdrawalAddress: Address,
): Promise<string> {
  const { status, body } = await api.post(
    '/api/wallet/set-withdrawal-address',
    await aRegistration(owner, withdrawalAddress),
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body.accountRecoveryCode
}

/** A code that is not this one. */
export function anotherCode(code: string, step = 1): string {
  return String((Number(code) + step) % 100_000_000).padStart(8, '0')
}
