import { expect, test } from 'vitest'
import { readGraphqlSettings } from '../../../graphql/config.ts'

const READER_DATABASE_URL = 'postgres://market_reader:secret@127.0.0.1:5432/market'

test('given the database alone, every other setting has its default', () => {
  expect(readGraphqlSettings({ READER_DATABASE_URL })).toEqual({
    READER_DATABASE_URL,
    MARKET_SCHEMA: 'market',
    DEPLOYMENT_FILE: 'deployments/8453.json',
    GRAPHQL_HOST: '127.0.0.1',
    GRAPHQL_PORT: 42_070,
    GRAPHQL_REQUESTS_PER_MINUTE: 120,
    TRUSTED_PROXIES: [],
    LOG_LEVEL: 'info',
    METRICS_HOST: '127.0.0.1',
  })
})

test('given several wrong settings, the error lists all of them without their values', () => {
  const wrong = {
    READER_DATABASE_URL: 'mysql://secret@x',
    MARKET_SCHEMA: 'market; drop',
    GRAPHQL_PORT: '70000',
    GRAPHQL_REQUESTS_PER_MINUTE: '0',
    TRUSTED_PROXIES: '10.0.0.1, proxy',
    LOG_LEVEL: 'loud',
  }
  const read = () => readGraphqlSettings(wrong)
  for (const name of Object.keys(wrong)) expect(read).toThrow(name)
  expect(read).not.toThrow('secret')
})

test('given no database, the settings are refused', () => {
  expect(() => readGraphqlSettings({})).toThrow('READER_DATABASE_URL: is needed')
})
