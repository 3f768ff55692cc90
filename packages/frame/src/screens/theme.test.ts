import { expect, test } from 'vitest'
import { readTheme } from './theme.ts'

test('applies the accent, corner radius and mode under every supported name [R3.16]', () => {
  expect(
    readTheme({ themeMode: 'dark', themeVariables: { '--latchkey-accent': '#0A7', '--latchkey-radius': '8px' } }),
  ).toEqual({
    mode: 'dark',
    variables: { '--latchkey-accent': '#0a7', '--latchkey-radius': '8px' },
  })
  expect(
    readTheme({ w3mThemeVariables: { '--w3m-accent': 'rgb(1, 2, 3)', '--w3m-background': '#fff' } }).variables,
  ).toEqual({
    '--latchkey-accent': 'rgb(1, 2, 3)',
  })
})

test.each([
  ['--latchkey-accent', 'red; background: url(//evil.example)'],
  ['--latchkey-accent', 'url(https://evil.example/x.png)'],
  ['--latchkey-accent', 'var(--danger)'],
  ['--latchkey-accent', '#00000000'],
  ['--latchkey-accent', 'rgb(0 0 0 / 0)'],
  ['--latchkey-accent', 'transparent'],
  ['--latchkey-radius', 'calc(100% - 1px)'],
  ['--latchkey-text', '#fff'],
  ['--latchkey-danger', '#fff'],
  ['--latchkey-surface', '#fff'],
  ['display', 'none'],
])('ignores %s: %s', (name, value) => {
  expect(readTheme({ themeVariables: { [name]: value } }).variables).toEqual({})
})
