import { describe, expect, test } from 'vitest'
import { confusableKey, isConfusable, sanitizeName } from './untrustedNames.ts'

describe('sanitizeName', () => {
  test.each<[string, unknown, string | undefined]>([
    ['keeps a plain name', 'MetaMask', 'MetaMask'],
    ['trims and collapses white space', '  Trust \n Wallet ', 'Trust Wallet'],
    ['removes a right-to-left override', '\u202eksaMateM', 'ksaMateM'],
    ['removes zero-width characters', 'Meta\u200bMask\u200d\ufeff', 'MetaMask'],
    ['removes control characters', 'Meta\u0000Mask\u001b', 'MetaMask'],
    ['folds full-width letters', 'ＭｅｔａＭａｓｋ', 'MetaMask'],
    ['limits stacked combining marks', `M${'\u0301'.repeat(50)}`, '\u1e3f\u0301\u0301'.replace('\u1e3f', 'Ḿ')],
    ['limits the length', 'x'.repeat(100), 'x'.repeat(40)],
    ['removes a lone surrogate', 'a\ud800', 'a'],
    ['returns undefined if there are only blank characters', '\u3164\u2800\u115f', undefined],
    ['returns undefined for an empty string', '', undefined],
    ['returns undefined for a value that is not a string', 7, undefined],
  ])('%s', (_, name, shown) => {
    expect(sanitizeName(name)).toBe(shown)
  })
})

describe('confusable names', () => {
  test.each([
    ['MetaMask', 'metamask'],
    ['MetaMask', 'Meta Mask'],
    ['MetaMask', 'MetаМаsk'],
    ['MetaMask', 'Métamask'],
    ['MetaMask', 'ΜetaΜask'],
    ['Phantom', 'Phant0m'],
    ['Trust Wallet', 'Trust Wa11et'],
    ['Trust Wallet', 'Trust WaIlet'],
    ['Rainbow', 'Rainbovv'],
    ['Frame', 'Frarne'],
    // One wallet uses both names, so the modal lists wallets with these names as one.
    ['Trust', 'Trust Wallet'],
  ])('include %s and %s', (name, other) => {
    expect(confusableKey(name)).toBe(confusableKey(other))
  })

  test.each([
    ['MetaMask', 'MetaMask Flask'],
    ['Coinbase', 'Coinbase Wallet'],
    ['钱包', '銭包'],
  ])('do not include %s and %s', (name, other) => {
    expect(confusableKey(name)).not.toBe(confusableKey(other))
  })
})

describe('a domain in a wallet name', () => {
  test.each<[string, string | undefined]>([
    ['MetaMask (io.metamask)', 'com.evil'],
    ['MetaMask [metamask.io]', 'com.evil'],
    ['io.metamask', undefined],
    ['MetaMask io。metamask', 'com.evil.io'],
    ['MetaMask (io.metamask.evil)', 'io.metamask'],
  ])('in "%s" makes the name confusable if the rdns is %s', (name, rdns) => {
    expect(isConfusable(name, rdns)).toBe(true)
  })

  test.each<[string, string | undefined]>([
    ['MetaMask', 'io.metamask'],
    ['Crypto.com | DeFi', 'com.crypto.wallet'],
    ['MetaMask (io.metamask)', 'io.metamask'],
    ['Ctrl (Beta)', undefined],
    ['Wallet 1.5', 'com.wallet'],
  ])('in "%s" is allowed if the rdns is %s', (name, rdns) => {
    expect(isConfusable(name, rdns)).toBe(false)
  })
})
