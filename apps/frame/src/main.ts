document.title = 'Wallet'
