import { expect, test } from 'vitest'
import { toBooksText } from '../../../scripts/stack/books-text.ts'

test('given both sides, then each figure has a line, and what differs comes last', () => {
  const market = {
    name: 'market',
    address: '0xM',
    inflow: '90',
    outflow: null,
    balance: '70',
    accounts: [
      { account: 'escrow', amount: '60' },
      { account: 'stake', amount: '11' },
    ],
    views: [{ name: 'totalEscrow', amount: null }],
    difference: '-1',
  }
  const books = { block: 7, timestamp: '2030-01-01T00:00:00.000Z', assets: [{ asset: '0xA', contracts: [market] }] }
  const differences = [
    { sum: 'market_balance', of: null, amount: '-1' },
    { sum: 'tasks', of: '0xT', amount: '1', fields: ['escrow'] },
  ]
  const text = toBooksText(books, { reason: 'rows and contracts differ in market_balance, tasks', differences })
  expect(text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
    'block 7, 2030-01-01T00:00:00.000Z',
    '',
    'asset 0xA',
    'market 0xM',
    'contract balance 70',
    'contract totalEscrow not read',
    'ledger inflow 90',
    'ledger outflow not read',
    'ledger escrow 60',
    'ledger stake 11',
    'difference -1',
    '',
    'rows and contracts differ in market_balance, tasks',
    'market_balance -1',
    'tasks 0xT 1 escrow',
  ])
})
