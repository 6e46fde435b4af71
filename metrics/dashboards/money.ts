import type { Dashboard } from './panel.ts'

/** The dashboard about gas, relayers, refunds, and the check that amounts in the database agree with the contracts. */
export const money: Dashboard = {
  uid: 'taskmarket-money',
  title: 'Task market: money',
  panels: [
    {
      title: 'Figures in which rows and contracts differ',
      kind: 'number',
      unit: 'short',
      queries: [{ expression: 'count(max by (sum) (taskmarket_books_difference) > 0) or vector(0)', legend: 'sums' }],
      redFrom: 1,
    },
    {
      title: 'USDC of refunds left to an operator',
      kind: 'number',
      unit: 'short',
      queries: [{ expression: 'max(taskmarket_failed_refunds_base_units) / 1e6', legend: 'USDC' }],
      redFrom: 10,
    },
    {
      title: 'Ether of relayers',
      unit: 'short',
      queries: [{ expression: 'max by (relayer) (taskmarket_relayer_balance_wei) / 1e18', legend: '{{relayer}}' }],
      redBelow: 0.005,
    },
    {
      title: 'Failures of signers since their last signature',
      unit: 'short',
      queries: [{ expression: 'max by (relayer) (taskmarket_signer_failures)', legend: '{{relayer}}' }],
      redFrom: 3,
    },
    {
      title: 'Runway of relayers',
      description: 'Days at the rate of the last seven.',
      unit: 'd',
      queries: [{ expression: 'min by (relayer) (taskmarket_relayer_runway_days)', legend: '{{relayer}}' }],
      redBelow: 7,
    },
    {
      title: 'Ether spent on gas in an hour',
      unit: 'short',
      queries: [
        {
          expression: 'sum by (class, outcome) (increase(taskmarket_relay_gas_wei_total[1h])) / 1e18',
          legend: '{{class}} {{outcome}}',
        },
      ],
    },
    {
      title: 'Budget of the day for code of other accounts',
      unit: 'percentunit',
      queries: [
        {
          expression: 'max(taskmarket_foreign_gas_wei) / max(taskmarket_foreign_gas_limit_wei)',
          legend: 'used',
        },
      ],
      redFrom: 0.8,
    },
    {
      title: 'Writes that wait for that budget',
      unit: 'short',
      queries: [{ expression: 'max(taskmarket_foreign_intents)', legend: 'writes' }],
    },
    {
      title: 'Refunds',
      unit: 'short',
      queries: [{ expression: 'max by (status) (taskmarket_refunds)', legend: '{{status}}' }],
    },
    {
      title: 'Differences of rows and contracts',
      description: 'Base units; of credits, nonces and tasks how many differ.',
      unit: 'short',
      queries: [{ expression: 'max by (sum) (taskmarket_books_difference)', legend: '{{sum}}' }],
      redFrom: 1,
    },
    {
      title: 'Figures that were not read',
      unit: 'short',
      queries: [{ expression: 'max by (sum) (taskmarket_books_unread)', legend: '{{sum}}' }],
    },
    {
      title: 'Since the last comparison',
      unit: 's',
      queries: [
        { expression: 'max by (part) (taskmarket_books_age_seconds)', legend: '{{part}}' },
        { expression: 'max(taskmarket_books_rotation_seconds)', legend: 'time of the last rotation' },
      ],
      redFrom: 300,
    },
    {
      title: 'Files that wait for their removal',
      unit: 'short',
      queries: [{ expression: 'max by (area) (taskmarket_files_to_remove)', legend: '{{area}}' }],
    },
  ],
}
