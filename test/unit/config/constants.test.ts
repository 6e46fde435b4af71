import { describe, expect, it } from 'vitest'
import { readConfig } from '../../../api/config.ts'
import { bounds, budgets, constantsOf, guards, rates } from '../../../api/constants.ts'
import { needed } from './needed.ts'

describe('the quotas', () => {
  it('given no factor, then they are what the interface names', () => {
    expect(readConfig(needed)).toMatchObject({
      READS_PER_MINUTE: 600,
      WRITES_PER_MINUTE: 60,
      INTENT_READS_PER_MINUTE: 120,
      DEVICES_PER_HOUR: 10,
      UPLOADS_OPEN: 20,
      WORKER_BYTES_PER_DAY: 2_147_483_648,
      FREE_RELAYS_PER_DAY: 200,
      MINTS_PER_CLIENT_PER_DAY: 5,
      MINTS_PER_DAY: 200,
      ACCESS_TRIES_PER_HOUR: 20,
      TASK_ACCESS_TRIES_PER_HOUR: 10,
      WITHDRAWAL_ADDRESSES_PER_HOUR: 30,
      RECOVERY_TRIES_PER_DAY: 5,
      ALL_RECOVERY_TRIES_PER_DAY: 200,
      MAX_RELAY_GAS: 10_000_000,
    })
  })

  it('given QUOTAS, then rates and bytes are multiplied, and nothing that guards a secret or costs money', () => {
    const doubled = readConfig({ ...needed, QUOTAS: '2' })
    for (const [name, value] of Object.entries(rates)) expect(doubled).toHaveProperty(name, 2 * value)
    expect(doubled).toMatchObject({ ...guards, ...budgets, ...bounds })
  })

  it('given a small factor, then one unit is left of each rate', () => {
    expect(constantsOf(0.1)).toMatchObject({ READS_PER_MINUTE: 60, DEVICES_PER_HOUR: 1 })
    expect(Math.min(...Object.keys(rates).map((name) => Number(constantsOf(0.01)[name as keyof typeof rates])))).toBe(1)
  })

  it.each(['0', '0.09', '1001', 'double'])('given QUOTAS=%s, then the error names it', (QUOTAS) => {
    expect(() => readConfig({ ...needed, QUOTAS })).toThrow(/QUOTAS: /)
  })
})

it('given a file that no write needs, then it is kept for longer than its client can still upload it', () => {
  const { FILE_RETENTION_SECONDS, UPLOAD_URL_SECONDS, UPLOAD_LIMIT_MS } = bounds
  expect(FILE_RETENTION_SECONDS).toBeGreaterThan(UPLOAD_URL_SECONDS + UPLOAD_LIMIT_MS / 1000)
})

describe('LOCAL_CONSTANTS', () => {
  it('given numbers, or texts of them, then they replace constants and are told as such', () => {
    const LOCAL_CONSTANTS = '{"UPLOADS_OPEN":2,"SQL_QUERY_MS":"500","FOREIGN_WEI_PER_DAY":"20000000000000000000"}'
    expect(readConfig({ ...needed, LOCAL_CONSTANTS, QUOTAS: '2', FAILPOINT: 'sent' })).toMatchObject({
      UPLOADS_OPEN: 2,
      SQL_QUERY_MS: 500,
      FOREIGN_WEI_PER_DAY: 20n * 10n ** 18n,
      READS_PER_MINUTE: 1_200,
      localSettings: ['LOCAL_CONSTANTS', 'FAILPOINT'],
    })
    expect(readConfig(needed).localSettings).toEqual([])
  })

  it.each([
    ['{', 'must be JSON'],
    ['{"UPLOADS":2}', 'UPLOADS'],
    ['{"UPLOADS_OPEN":"many"}', 'UPLOADS_OPEN'],
    ['{"UPLOADS_OPEN":-1}', 'UPLOADS_OPEN'],
    ['[1]', 'LOCAL_CONSTANTS'],
  ])('given %s, then the error says what is wrong', (LOCAL_CONSTANTS, problem) => {
    expect(() => readConfig({ ...needed, LOCAL_CONSTANTS })).toThrow(problem)
  })
})
