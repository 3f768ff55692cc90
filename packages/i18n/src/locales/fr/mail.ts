/** The texts of emails and of the pages opened by emails and social logins, in French. */
export const mail = {
  'code.subject': 'Votre code de connexion',
  'code.heading': 'Votre code de connexion',
  'code.before':
    'Saisissez ce code là où vous vous connectez. Il est valable 10 minutes, et uniquement dans le navigateur qui l’a demandé.',
  'code.after':
    'Personne de {site} ne vous le demandera jamais. Si vous n’avez pas demandé de code, ignorez cet e-mail : personne ne peut se connecter sans lui.',

  'approval.subject': 'Approuvez un nouveau navigateur',
  'approval.heading': 'Est-ce bien vous ?',
  'approval.before':
    'Un nouveau navigateur veut se connecter avec votre adresse e-mail. Le lien est valable 10 minutes.',
  'approval.link': 'Examiner la demande',
  'approval.after':
    'Ne l’ouvrez que si vous êtes en train de vous connecter. Si ce n’est pas vous, ignorez cet e-mail : personne ne peut se connecter à {site} sans lui.',

  'changePrimary.subject': 'Confirmez le changement d’adresse e-mail',
  'changePrimary.heading': 'Changement de votre adresse e-mail',
  'changePrimary.before':
    'Saisissez ce code pour confirmer que vous voulez changer l’adresse e-mail de votre compte. Il est valable 10 minutes.',
  'changePrimary.after':
    'Si ce n’est pas vous, ne le saisissez nulle part et vérifiez les appareils de votre compte sur {site}.',

  'changeSecondary.subject': 'Confirmez votre nouvelle adresse e-mail',
  'changeSecondary.heading': 'Votre nouvelle adresse e-mail',
  'changeSecondary.before':
    'Saisissez ce code pour que cette adresse e-mail devienne celle de votre compte. Il est valable 10 minutes.',
  'changeSecondary.after': 'Si vous n’avez rien demandé, ignorez cet e-mail : {site} supprimera alors cette adresse.',

  'addressTaken.subject': 'Cette adresse e-mail a déjà un compte',
  'addressTaken.heading': 'Cette adresse e-mail est déjà utilisée',
  'addressTaken.before':
    'Quelqu’un, peut-être vous, a essayé d’utiliser cette adresse e-mail pour un autre compte sur {site}. Elle a déjà un compte : rien n’a été changé.',
  'addressTaken.after': 'Si c’était vous, connectez-vous plutôt avec cette adresse e-mail.',

  'addressChanged.subject': 'Votre adresse e-mail a été changée',
  'addressChanged.heading': 'Votre adresse e-mail a été changée',
  'addressChanged.before':
    'Votre compte sur {site} a maintenant une autre adresse e-mail. Les codes envoyés aux deux adresses ont été saisis. Votre wallet et ses clés n’ont pas changé.',
  'addressChanged.after':
    'Si ce n’était pas vous, quelqu’un peut lire vos e-mails : changez le mot de passe de votre messagerie.',

  'deviceAdded.subject': 'Nouvelle connexion sur un autre appareil',
  'deviceAdded.heading': 'Nouvel appareil',
  'deviceAdded.before':
    '« {place} » s’est connecté à votre compte sur {site}. Il ne peut ouvrir le wallet qu’avec votre clé d’accès, votre kit de récupération ou un autre de vos appareils.',
  'deviceAdded.after': 'S’il n’est pas à vous, retirez-le de la liste des appareils de votre wallet.',

  'deviceAsked.subject': 'Un nouvel appareil veut ouvrir votre wallet',
  'deviceAsked.heading': 'Un appareil a besoin de votre accord',
  'deviceAsked.before':
    '« {place} » s’est connecté à votre compte sur {site} et demande l’accord d’un de vos appareils. Jusqu’au {time}, il faut pour cela votre clé d’accès ou votre kit de récupération sur cet appareil.',
  'deviceAsked.after':
    'S’il n’est pas à vous, quelqu’un peut lire vos e-mails : changez le mot de passe de votre messagerie, puis ouvrez {page} dans votre navigateur, déconnectez-vous partout et ajoutez une clé d’accès ou un kit de récupération.',

  'expiredPage.title': 'Lien expiré',
  'expiredPage.heading': 'Ce lien a expiré',
  'expiredPage.body':
    'Il fonctionne une seule fois, pendant 10 minutes. Demandez-en un nouveau là où vous vous connectez.',

  'approvePage.title': 'Approuver un nouveau navigateur',
  'approvePage.heading': 'Êtes-vous en train de vous connecter ?',
  'approvePage.body': 'Un navigateur veut se connecter à {site} en tant que {email}.',
  'approvePage.notYou': 'Si ce n’est pas vous, fermez cette page.',
  'approvePage.approve': 'Approuver',

  'approvedPage.title': 'Approuvé',
  'approvedPage.heading': 'Navigateur approuvé',
  'approvedPage.body':
    'Nous vous avons envoyé un code par e-mail. Saisissez-le là où vous vous connectez. Vous pouvez fermer cette page.',

  'popup.title': 'Connexion',
  'popup.loading': 'Un instant…',
  'popup.loadingBody': 'Votre connexion va s’ouvrir ici.',
  'popup.elsewhere': 'Continuez sur la page',
  'popup.done': 'Vous pouvez revenir à la page',
  'popup.failed': 'Une erreur s’est produite',
  'popup.close': 'Vous pouvez fermer cette fenêtre.',
}
