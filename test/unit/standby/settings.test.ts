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

test('given a data directory, then it holds', () => {
  const environment = { STANDBY_DATABASE_URL: 'postgres://keeper@replica/market', STANDBY_DATA_DIRECTORY: '/data' }
  expect(readKeeperSettings(environment).dataDirectory).toBe('/data')
})

test('given no URL, then the error names it', () => {
  expect(() => readKeeperSettings({ STANDBY_DATA_DIRECTORY: '' })).toThrow('STANDBY_DATABASE_URL: is needed')
})
