import { expect, test } from 'vitest'
import { readKeeperSettings } from '../../../ops/standby/settings.ts'

test('given the URL alone, then people have 60 s, the reader 10 s, and nothing is killed', () => {
  expect(readKeeperSettings({ STANDBY_DATABASE_URL: 'postgres:///market' })).toEqual({
    url: 'postgres:///market',
    dataDirectory: null,
    limits: [
      { login: 'market_analyst', busySeconds: 60, idleSeconds: 60 },
      { login: 'market_reader', busySeconds: 10, idleSeconds: null },
      { login: 'market_exporter', busySeconds: 1800, idleSeconds: 1800 },
    ],
  })
})

test('given ages of its own, then they hold', () => {
  const { limits, dataDirectory } = readKeeperSettings({
    STANDBY_DATABASE_URL: 'postgres://keeper@replica/market',
    STANDBY_DATA_DIRECTORY: '/data',
    ANALYST_SECONDS: '120',
    READER_SECONDS: '20',
  })
  expect(dataDirectory).toBe('/data')
  expect(limits.map(({ busySeconds, idleSeconds }) => [busySeconds, idleSeconds])).toEqual([
    [120, 120],
    [20, null],
    [1800, 1800],
  ])
})

test('given no URL, and an age of zero, then one error names both', () => {
  expect(() => readKeeperSettings({ ANALYST_SECONDS: '0' })).toThrow(/STANDBY_DATABASE_URL[\s\S]*ANALYST_SECONDS/)
})
