#compdef attraj

_attraj_completion() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _ATTRAJ_COMPLETE=complete_zsh attraj)
}

compdef _attraj_completion attraj
