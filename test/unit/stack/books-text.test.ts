import { expect, test } from 'vitest'
import { toBooksText } from '../../../scripts/stack/books-text.ts'
import { toMovementsText } from '../../../scripts/stack/movements-text.ts'

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

test('given movements of a task, then each has a line with its transaction, and a balance that they do not sum up to is named', () => {
  const movement = {
    block: 7,
    timestamp: '2030-01-01T00:00:00.000Z',
    transactionHash: '0xX',
    asset: '0xA',
    kind: 'funded',
    from: '0xW',
    to: 'escrow:0xT',
    amount: '5000000',
    amountUnits: '5',
  }
  const balances = [
    { asset: '0xA', account: 'escrow:0xT', amount: '5000000' },
    { asset: '0xA', account: 'stake:0xT', amount: '1' },
  ]
  const text = toMovementsText({
    block: 9,
    timestamp: movement.timestamp,
    balances,
    movements: [movement, { ...movement, from: 'escrow:0xT', kind: 'reduced', amountUnits: null, asset: '0xB' }],
    isCut: false,
  })
  expect(text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
    'block 9, 2030-01-01T00:00:00.000Z',
    '',
    '7 2030-01-01T00:00:00.000Z funded 5 0xW -> escrow:0xT 0xX',
    '7 2030-01-01T00:00:00.000Z reduced 5000000 base units escrow:0xT -> escrow:0xT 0xX',
    '',
    'balance escrow:0xT 5000000 of 0xA',
    'balance stake:0xT 1 of 0xA differs from the movements',
  ])
})
